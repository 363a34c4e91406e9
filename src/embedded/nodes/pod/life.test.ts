import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { withMeta, type KubeObject } from '#kube/object.ts';
import { named, pod } from '#embedded/nodes/testing/pods.ts';
import { Rehearsal } from '#embedded/nodes/testing/rehearsal.ts';
import { statusLists } from './container-status.ts';

const gate = 'example.com/gate';
const span = fc.integer({ min: 0, max: 20 }).map((count) => `${count}s`);
const outcome = fc.oneof(
  fc.constantFrom('ok', 'fail', 'flap'),
  fc.integer({ min: 1, max: 15 }).map((count) => `fail-first:${count}s`),
  fc.integer({ min: 1, max: 15 }).map((count) => `flap:${count}s`),
  fc.integer({ min: 1, max: 15 }).map((count) => `fail-after:${count}s`),
);
const tuning = fc.record(
  {
    'pull-delay': span,
    pull: fc.constantFrom('ok', 'error', 'invalid'),
    'start-delay': span,
    'ready-delay': span,
    'run-duration': span,
    'crash-after': span,
    'crash-count': fc.constantFrom('1', '2', '3'),
    'exit-code': fc.constantFrom('0', '1', '137'),
    probe: outcome,
    'liveness-probe': outcome,
    'startup-probe': outcome,
    'term-duration': span,
    'run-duration.i': span,
    'exit-code.i': fc.constantFrom('0', '1'),
    'crash-after.s': span,
  },
  { requiredKeys: [] },
);
const probe = fc.option(
  fc.record({
    initialDelaySeconds: fc.integer({ min: 0, max: 5 }),
    periodSeconds: fc.integer({ min: 1, max: 10 }),
    failureThreshold: fc.integer({ min: 1, max: 3 }),
    successThreshold: fc.constant(1),
  }),
  { nil: undefined },
);
const containers = fc.record({
  readiness: probe,
  liveness: probe,
  startup: probe,
  two: fc.boolean(),
  init: fc.boolean(),
  sidecar: fc.boolean(),
  gated: fc.boolean(),
  policy: fc.constantFrom('Always', 'OnFailure', 'Never'),
  tuning,
});

type Act =
  | { readonly type: 'pass'; readonly span: number }
  | { readonly type: 'image'; readonly image: string }
  | { readonly type: 'tune'; readonly tuning: Readonly<Record<string, string | undefined>> }
  | { readonly type: 'gate'; readonly status: string }
  | { readonly type: 'restart' }
  | { readonly type: 'remove'; readonly grace: number };
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ type: fc.constant('pass' as const), span: fc.integer({ min: 1, max: 90_000 }) }),
  fc.record({ type: fc.constant('image' as const), image: fc.constantFrom('app:1', 'app:2', 'No Image') }),
  fc.record({ type: fc.constant('tune' as const), tuning }),
  fc.record({ type: fc.constant('gate' as const), status: fc.constantFrom('True', 'False') }),
  fc.record({ type: fc.constant('restart' as const) }),
  fc.record({ type: fc.constant('remove' as const), grace: fc.integer({ min: 1, max: 40 }) }),
);

type Drawn = typeof containers extends fc.Arbitrary<infer Value> ? Value : never;

const given = (drawn: Drawn): KubeObject =>
  pod({
    annotations: drawn.tuning,
    spec: {
      restartPolicy: drawn.policy,
      ...(drawn.gated ? { readinessGates: [{ conditionType: gate }] } : {}),
      initContainers: [
        ...(drawn.init ? [named('i')] : []),
        ...(drawn.sidecar ? [named('s', { restartPolicy: 'Always' })] : []),
      ],
      containers: [
        named('c', {
          ...(drawn.readiness && { readinessProbe: drawn.readiness }),
          ...(drawn.liveness && { livenessProbe: drawn.liveness }),
          ...(drawn.startup && { startupProbe: drawn.startup }),
        }),
        ...(drawn.two ? [named('d')] : []),
      ],
    },
  });

function perform(rehearsal: Rehearsal, step: Act): void {
  const { pod: now } = rehearsal;
  switch (step.type) {
    case 'pass':
      return rehearsal.pass(step.span);
    case 'restart':
      return rehearsal.restart();
    case 'remove':
      return at(now, 'metadata', 'deletionTimestamp') === undefined
        ? rehearsal.remove(step.grace)
        : undefined;
    case 'tune': {
      const entries = Object.entries(step.tuning).map(([key, text]) => [
        `sim.boathook.dev/${key}`,
        text ?? '',
      ]);
      return rehearsal.change(withMeta(now, { annotations: Object.fromEntries(entries) as JsonObject }));
    }
    case 'image': {
      const [first, ...rest] = listAt(now, 'spec', 'containers').filter(isObject);
      const spec = { ...objectAt(now, 'spec'), containers: [{ ...first, image: step.image }, ...rest] };
      return rehearsal.change({ ...now, spec });
    }
    case 'gate': {
      const others = listAt(now, 'status', 'conditions').filter((each) => at(each, 'type') !== gate);
      const status = {
        ...objectAt(now, 'status'),
        conditions: [...others, { type: gate, status: step.status }],
      };
      return rehearsal.change({ ...now, status });
    }
  }
}

const edges: Readonly<Record<string, readonly string[]>> = {
  Pending: ['Pending', 'Running', 'Succeeded', 'Failed'],
  Running: ['Running', 'Succeeded', 'Failed'],
  Succeeded: ['Succeeded'],
  Failed: ['Failed'],
};

const conditions = (of: KubeObject): readonly JsonObject[] =>
  listAt(of, 'status', 'conditions').filter(isObject);
const truth = (of: KubeObject, type: string): boolean =>
  conditions(of).some((each) => each['type'] === type && each['status'] === 'True');
const statuses = (of: KubeObject): readonly JsonObject[] =>
  statusLists.flatMap((list) => listAt(of, 'status', list)).filter(isObject);

function checkEdge(before: KubeObject, after: KubeObject): void {
  const [from, to] = [textAt(before, 'status', 'phase') ?? '', textAt(after, 'status', 'phase') ?? ''];
  expect(edges[from]).toContain(to);
  for (const condition of conditions(after)) {
    const old = conditions(before).find((each) => each['type'] === condition['type']);
    if (old === undefined || condition['type'] === gate) continue;
    const [was, is] = [
      textAt(old, 'lastTransitionTime') ?? '',
      textAt(condition, 'lastTransitionTime') ?? '',
    ];
    expect(is >= was).toBe(true);
    if (old['status'] === condition['status']) expect(is).toBe(was);
  }
  for (const status of statuses(after)) {
    const old = statuses(before).find((each) => each['name'] === status['name']);
    if (old !== undefined) checkContainer(old, status, textAt(after, 'spec', 'restartPolicy') ?? '');
  }
}

/** A new id is a new run, and a new run of one that has run before is one restart: no more, no less. */
function checkContainer(old: JsonObject, now: JsonObject, policy: string): void {
  const [was, is] = [numberAt(old, 'restartCount') ?? 0, numberAt(now, 'restartCount') ?? 0];
  const isNewRun = textAt(old, 'containerID') !== textAt(now, 'containerID');
  const hadRun = textAt(old, 'containerID') !== undefined;
  if (isNewRun && hadRun) expect(is).toBe(was + 1);
  if (!isNewRun) expect(is).toBe(was);
  const ended = objectAt(old, 'state', 'terminated');
  if (ended !== undefined && policy === 'Never' && now['name'] !== 's')
    expect(objectAt(now, 'state', 'terminated')).toEqual(ended);
  const [startedBefore, startedNow] = [runStart(old), runStart(now)];
  if (startedBefore !== undefined && startedNow !== undefined) expect(startedNow >= startedBefore).toBe(true);
}

const runStart = (status: JsonObject): string | undefined => textAt(status, 'state', 'running', 'startedAt');

function checkState(of: KubeObject): void {
  if (truth(of, 'Ready')) {
    expect(truth(of, 'ContainersReady')).toBe(true);
    for (const each of listAt(of, 'spec', 'readinessGates'))
      expect(truth(of, textAt(each, 'conditionType') ?? '')).toBe(true);
    expect(statuses(of).every((each) => each['name'] === 'i' || each['ready'] === true)).toBe(true);
  }
  for (const status of statuses(of)) checkStatus(status);
}

function checkStatus(status: JsonObject): void {
  const isRunning = objectAt(status, 'state', 'running') !== undefined;
  if (isRunning) expect(textAt(status, 'containerID')).toMatch(/^sim:/);
  if (status['ready'] === true && status['name'] !== 'i')
    expect(isRunning && status['started'] === true).toBe(true);
  const end = objectAt(status, 'state', 'terminated');
  if (end !== undefined && end['startedAt'] !== null)
    expect((textAt(end, 'finishedAt') ?? '') >= (textAt(end, 'startedAt') ?? '')).toBe(true);
}

test('whatever happens to a pod, it moves along permitted edges only', () => {
  fc.assert(
    fc.property(
      containers,
      fc.array(act, { maxLength: 12 }),
      fc.constantFrom('instant' as const, 'fast' as const, 'realistic' as const),
      (drawn, acts, profile) => {
        const first = given(drawn);
        const rehearsal = new Rehearsal(first, { profile });
        for (const step of acts) perform(rehearsal, step);
        let before = first;
        for (const { pod: after } of rehearsal.history) {
          checkEdge(before, after);
          checkState(after);
          before = after;
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a process that forgets everything counts nothing twice and changes nothing by looking', () => {
  fc.assert(
    fc.property(containers, fc.integer({ min: 0, max: 120_000 }), (drawn, span) => {
      const rehearsal = new Rehearsal(given(drawn), { profile: 'realistic' });
      rehearsal.pass(span);
      const before = statuses(rehearsal.pod).map((each) => each['restartCount']);
      const runs = new Set(statuses(rehearsal.pod).map((each) => textAt(each, 'containerID')));
      rehearsal.restart();
      const after = statuses(rehearsal.pod);
      // What was due at this very second may happen; it happens once.
      for (const [index, status] of after.entries()) {
        const count = Number(status['restartCount']) - Number(before[index]);
        expect(count).toBe(runs.has(textAt(status, 'containerID')) ? 0 : count > 0 ? 1 : 0);
      }
    }),
    { numRuns: 300 },
  );
});

test('a deleted pod is gone when its grace is over, whatever it was doing', () => {
  fc.assert(
    fc.property(
      containers,
      fc.integer({ min: 0, max: 60_000 }),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      (drawn, span, grace, forgets) => {
        const rehearsal = new Rehearsal(given(drawn), { profile: 'realistic' });
        rehearsal.pass(span);
        rehearsal.remove(grace);
        rehearsal.pass(500);
        if (forgets) rehearsal.restart();
        // Sidecars end after the others, each with two seconds at least.
        rehearsal.pass(grace * 1000 + 5000);
        expect(rehearsal.isRemoved).toBe(true);
        expect(statuses(rehearsal.pod).some((each) => objectAt(each, 'state', 'running') !== undefined)).toBe(
          false,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('the same pod under the same seed has the same history', () => {
  fc.assert(
    fc.property(containers, fc.array(act, { maxLength: 6 }), (drawn, acts) => {
      const play = (): string => {
        const rehearsal = new Rehearsal(given(drawn), { profile: 'realistic' });
        for (const step of acts) perform(rehearsal, step);
        return JSON.stringify(rehearsal.history);
      };
      expect(play()).toBe(play());
    }),
    { numRuns: 50 },
  );
});
