import { describe, expect, test } from 'vitest';
import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { instant, minutes, seconds } from '#base/time.ts';
import { withMeta, type KubeObject } from '#kube/object.ts';
import {
  freshMemory,
  type InstanceSnapshot,
  type Finish,
  type HookAnswer,
  type ReconcileStep,
} from './cycle.ts';
import { decideReconcile } from './decide-reconcile.ts';
import { finalizer, pausedAnnotation, skipFinalizeAnnotation } from '#registrations/model/registration.ts';
import { hookSpec, kuard, kuardSnapshot, kuardKind, registered, replied } from './testing/kuard.ts';

const statusConfiguration = { conditionsFromHook: [{ type: 'KuardReady' }] };
const hooked = (hook: JsonObject = {}, workload: JsonObject = {}) =>
  registered({
    spec: { hook: hookSpec(hook) },
    workload: { parameterConfiguration: { addEnvsFromHook: ['*'] }, statusConfiguration, ...workload },
  });
const held = (meta: JsonObject = {}): KubeObject => kuard(undefined, { finalizers: [finalizer], ...meta });
const snapshot = (more: Partial<InstanceSnapshot> = {}): InstanceSnapshot =>
  kuardSnapshot({
    registration: hooked(),
    instance: { ...kuard(), ...held(), spec: kuard()['spec'] as Json },
    ...more,
  });

const good: HookAnswer = replied({
  status: { conditions: [{ type: 'KuardReady', status: 'True', reason: 'OK' }] },
});
const answers = { 'pre-reconcile': good, 'post-reconcile': replied('') };

/** What the server makes of what is applied. */
function settled(step: ReconcileStep, available = 'True'): readonly KubeObject[] {
  if (step.type !== 'apply') throw new Error(`${step.type} is no apply`);
  return step.children.map(({ key, object }) =>
    key === 'deployment'
      ? {
          ...object,
          status: {
            readyReplicas: available === 'True' ? 1 : 0,
            conditions: [
              { type: 'Available', status: available, reason: 'MinimumReplicasAvailable', message: 'x' },
            ],
          },
        }
      : object,
  );
}

function finish(step: ReconcileStep): Finish {
  if (step.type !== 'finish') throw new Error(`${step.type} is not the end`);
  return step;
}

/** A whole reconciliation in which everything that is applied is taken. */
function finished(given: InstanceSnapshot): Finish {
  const step = decideReconcile(given);
  return step.type === 'apply'
    ? finish(decideReconcile({ ...given, live: settled(step), applied: [] }))
    : finish(step);
}

const conditions = (end: Finish): readonly string[] =>
  listAt(end.status, 'conditions').map(
    (each) => `${textAt(each, 'type')} ${textAt(each, 'status')}/${textAt(each, 'reason')}`,
  );

const messageOf = (end: Finish, type: string): string | undefined =>
  textAt(
    listAt(end.status, 'conditions').find((each) => textAt(each, 'type') === type),
    'message',
  );

describe('the order of a reconciliation', () => {
  test('finalizer, pre-reconcile, post-reconcile with what is rendered, one apply, the end', () => {
    const bare = snapshot({ instance: kuard() });
    expect(decideReconcile(bare)).toEqual({ type: 'add-finalizer' });
    const pre = decideReconcile(snapshot());
    expect(pre).toMatchObject({ type: 'call', phase: 'pre-reconcile' });
    const envVars = [{ name: 'FROM_HOOK_VAR', value: 'x' }];
    const first = { 'pre-reconcile': replied({ envVars }) };
    const post = decideReconcile(snapshot({ answers: first }));
    expect(post).toMatchObject({ type: 'call', phase: 'post-reconcile' });
    expect(JSON.stringify(post)).toContain('FROM_HOOK_VAR');
    const apply = decideReconcile(snapshot({ answers: { ...first, 'post-reconcile': replied('') } }));
    expect(apply).toMatchObject({ type: 'apply', prune: [], tryFirst: true });
    expect(apply.type === 'apply' && apply.children.map(({ key }) => key)).toEqual(['deployment', 'service']);
  });

  test('the finalizer is there before the hook is called', () => {
    expect(decideReconcile(snapshot({ instance: kuard(), answers }))).toEqual({ type: 'add-finalizer' });
  });

  test('equal facts give equal steps', () => {
    expect(decideReconcile(snapshot())).toEqual(decideReconcile(snapshot()));
    expect(decideReconcile(snapshot({ answers }))).toEqual(decideReconcile(snapshot({ answers })));
  });

  test('without a hook there is no call and no finalizer', () => {
    const step = decideReconcile(kuardSnapshot());
    expect(step).toMatchObject({ type: 'apply', tryFirst: false });
    expect(decideReconcile(kuardSnapshot({ instance: held() }))).toMatchObject({ type: 'remove-finalizer' });
  });

  test('a finalizer without the capability is removed, deleted or not', () => {
    const registration = hooked({ capabilities: ['pre-reconcile'] });
    expect(decideReconcile(snapshot({ registration }))).toMatchObject({ type: 'remove-finalizer' });
    const deleting = held({ deletionTimestamp: '2023-11-14T00:00:00Z' });
    expect(decideReconcile(snapshot({ registration, instance: deleting }))).toMatchObject({
      type: 'remove-finalizer',
    });
    expect(decideReconcile(kuardSnapshot({ instance: deleting }))).toMatchObject({
      type: 'remove-finalizer',
    });
  });

  test('a paused instance is left alone', () => {
    const instance = kuard({}, { annotations: { [pausedAnnotation]: 'true' } });
    expect(decideReconcile(snapshot({ instance }))).toMatchObject({
      type: 'finish',
      outcome: 'paused',
      status: undefined,
      after: undefined,
    });
  });
});

describe('requests', () => {
  const requestOf = (given: InstanceSnapshot): JsonObject => {
    const step = decideReconcile(given);
    if (step.type !== 'call') throw new Error(step.type);
    return step.request;
  };
  const reference = {
    apiVersion: 'extensions.triggermesh.io/v1',
    kind: 'Kuard',
    namespace: 'default',
    name: 'my-kuard-extension',
  };
  const capabilities = ['pre-reconcile', 'post-reconcile', 'finalize'];

  test('pre-reconcile, as the seed writes it', () => {
    expect(requestOf(snapshot())).toEqual({
      object: reference,
      phase: 'pre-reconcile',
      capabilities,
      version: 'v1',
      registration: { name: 'kuard', generation: 3 },
      formFactor: { name: 'deployment' },
      uid: 'kuard-uid',
      generation: 1,
      attempt: 1,
    });
  });

  test('post-reconcile has what is rendered, the workload first', () => {
    const request = requestOf(snapshot({ answers: { 'pre-reconcile': good } }));
    expect(request).toMatchObject({ object: reference, phase: 'post-reconcile', capabilities, observed: [] });
    expect(listAt(request, 'rendered').map((each) => textAt(each, 'kind'))).toEqual([
      'Deployment',
      'Service',
    ]);
  });

  test('finalize, with the live children', () => {
    const instance = held({ deletionTimestamp: '2023-11-14T00:00:00Z' });
    const live = settled(decideReconcile(snapshot({ answers })));
    const request = requestOf(snapshot({ instance, live }));
    expect(request).toMatchObject({ object: reference, phase: 'finalize', capabilities });
    expect(listAt(request, 'observed')).toHaveLength(2);
    expect(request['rendered']).toBeUndefined();
  });

  test('payload full: the whole instance and the children by name', () => {
    const registration = hooked({ payload: 'full' });
    const instance = withMeta(snapshot().instance, { managedFields: [{ manager: 'x' }] });
    const request = requestOf(snapshot({ registration, instance }));
    const { status, ...object } = request['object'] as JsonObject;
    const reference = { namespace: 'default', name: 'my-kuard-extension' };
    expect(object).toEqual({ ...snapshot().instance, ...reference });
    expect(listAt(status, 'conditions').map((each) => textAt(each, 'type'))).toEqual([
      'DeploymentReady',
      'KuardReady',
      'Ready',
      'ServiceReady',
    ]);
    expect(Object.keys(request['children'] as JsonObject)).toEqual(['deployment', 'service']);
  });

  test('the attempt counts', () => {
    expect(requestOf(snapshot({ memory: { ...freshMemory, generation: 1, failures: 2 } }))).toMatchObject({
      attempt: 3,
    });
  });
});

describe('outcomes of pre and post', () => {
  type Case = {
    name: string;
    reply: Json;
    status?: number;
    applied: boolean;
    after: number;
    conditions?: readonly string[];
    failures: number;
  };
  const resync = minutes(600);
  const all: readonly Case[] = [
    { name: '{}', reply: {}, applied: true, after: resync, failures: 0 },
    {
      name: 'halt',
      reply: { error: { message: 'm', halt: true } },
      applied: false,
      after: 1000,
      conditions: [
        'DeploymentReady Unknown/DeploymentUnknown',
        'KuardReady Unknown/HOOKERROR',
        'Ready Unknown/UNKNOWN',
        'Reconciled Unknown/HOOKERROR',
        'ServiceReady Unknown/UNKNOWN',
      ],
      failures: 1,
    },
    {
      name: 'halt and permanent',
      reply: { error: { message: 'm', halt: true, permanent: true } },
      applied: false,
      after: resync,
      conditions: [
        'DeploymentReady Unknown/DeploymentUnknown',
        'KuardReady Unknown/HOOKPERMANENT',
        'Ready False/CONDITIONSNOTOK',
        'Reconciled False/HOOKPERMANENT',
        'ServiceReady Unknown/UNKNOWN',
      ],
      failures: 0,
    },
    {
      name: 'no halt',
      reply: { error: { message: 'm', halt: false } },
      applied: true,
      after: 1000,
      failures: 1,
    },
    {
      name: 'no halt, permanent',
      reply: { error: { message: 'm', halt: false, permanent: true } },
      applied: true,
      after: resync,
      failures: 0,
    },
    {
      name: 'texts and the spelling of the seed',
      reply: { error: { message: 'm', halt: 'true', permantent: 'true' } },
      applied: false,
      after: resync,
      failures: 0,
    },
    {
      name: '500, flat',
      reply: { message: 'm', permanent: true, continue: false },
      status: 500,
      applied: false,
      after: resync,
      failures: 0,
    },
    {
      name: '500, flat, continue',
      reply: { message: 'm', continue: true },
      status: 500,
      applied: true,
      after: 1000,
      failures: 1,
    },
    { name: '500, text', reply: 'out of order', status: 500, applied: false, after: 1000, failures: 1 },
    { name: '302', reply: '', status: 302, applied: false, after: 1000, failures: 1 },
    { name: 'no JSON', reply: '{', applied: false, after: 1000, failures: 1 },
    {
      name: 'a child that is null',
      reply: { children: { deployment: null } },
      applied: false,
      after: 1000,
      failures: 1,
    },
    {
      name: 'a bad patch',
      reply: { patches: [{ main: { kind: 'Pod' } }] },
      applied: false,
      after: 1000,
      failures: 1,
    },
    {
      name: 'resyncAfterSeconds',
      reply: { resyncAfterSeconds: 30 },
      applied: true,
      after: 30_000,
      failures: 0,
    },
    {
      name: 'resyncAfterSeconds with an error',
      reply: { error: { message: 'm' }, resyncAfterSeconds: 90 },
      applied: false,
      after: 90_000,
      failures: 1,
    },
  ];
  const phases = ['pre-reconcile', 'post-reconcile'] as const;

  test.for(phases.flatMap((phase) => all.map((each) => ({ ...each, phase }))))(
    '$phase, $name',
    ({ phase, reply, status, applied, after, failures, conditions: expected }) => {
      const given = snapshot({ answers: { ...answers, [phase]: replied(reply, status) } });
      const step = decideReconcile(given);
      expect(step.type).toBe(applied ? 'apply' : 'finish');
      const end = finished(given);
      expect(end.after).toBe(after);
      expect(end.memory.failures).toBe(failures);
      if (expected !== undefined) expect(conditions(end)).toEqual(expected);
    },
  );

  test('a failure is reported in a condition and an event that name hook, phase and cause, once', () => {
    const given = snapshot({ answers: { 'pre-reconcile': replied('out of order', 500) } });
    const end = finished(given);
    expect(end.events).toEqual([
      {
        type: 'Warning',
        reason: 'HookFailed',
        message:
          'hook of registration kuard, pre-reconcile: it answered 500: out of order (nothing is applied, and the hook is called again)',
      },
    ]);
    expect(JSON.stringify(end.status)).toContain(
      'hook of registration kuard, pre-reconcile: it answered 500: out of order',
    );
    expect(finished({ ...given, memory: end.memory }).events).toEqual([]);
  });

  test('a redirect is reported as one', () => {
    const end = finished(snapshot({ answers: { 'pre-reconcile': replied('<html>moved</html>', 302) } }));
    expect(end.events[0]?.message).toMatch(/it answered 302: redirects are not followed: use the final/);
  });

  test('a strict registration takes no unknown member, others warn of it', () => {
    const strange = { 'pre-reconcile': replied({ wish: 1 }), 'post-reconcile': replied('') };
    const registration = hooked({ strict: true });
    expect(conditions(finished(snapshot({ registration, answers: strange })))).toContain(
      'Reconciled False/REPLYINVALID',
    );
    const { events } = finished(snapshot({ answers: strange }));
    expect(events.map(({ reason }) => reason)).toEqual(['HookReplyUnknown']);
  });

  const long = 'x'.repeat(500_000);
  test.for<[string, HookAnswer]>([
    ['an error page', replied(long, 500)],
    ['an error', replied({ error: { message: long } })],
    ['a patch that is a text', replied({ patches: [{ main: long }] })],
    ['a target', replied({ patches: [{ [long]: {} }] })],
    ['a path', replied({ patches: [{ main: [{ op: 'remove', path: `/${long}` }] }] })],
    ['an unknown member', replied({ [long]: 1 })],
    ['a variable', replied({ envVars: [{ name: long }] })],
    ['a failure', { type: 'failed', message: long }],
  ])('%s of half a million letters is shortened to a few hundred', ([, answer]) => {
    const registration = registered({ spec: { hook: hookSpec({ capabilities: ['pre-reconcile'] }) } });
    const end = decideReconcile(
      kuardSnapshot({ registration, answers: { 'pre-reconcile': answer }, applied: [] }),
    );
    if (end.type !== 'finish') throw new Error(end.type);
    expect(end.events).toHaveLength(1);
    expect(JSON.stringify(end.events).length).toBeLessThan(1300);
    expect(JSON.stringify(end.status).length).toBeLessThan(6000);
    expect(JSON.stringify(end.memory).length).toBeLessThan(2000);
  });

  test.for<[string, HookAnswer, number]>([
    ['429 with seconds', { type: 'answer', status: 429, retryAfter: '7', body: '' }, 7000],
    ['503 with seconds', { type: 'answer', status: 503, retryAfter: '7', body: '' }, 7000],
    [
      'a date',
      { type: 'answer', status: 429, retryAfter: 'Tue, 14 Nov 2023 22:13:50 GMT', body: '' },
      30_000,
    ],
    ['nonsense', { type: 'answer', status: 429, retryAfter: 'soon', body: '' }, 1000],
    ['an hour at most', { type: 'answer', status: 429, retryAfter: '999999', body: '' }, 3_600_000],
    ['500 knows no such header', { type: 'answer', status: 500, retryAfter: '7', body: '' }, 1000],
    ['no answer', { type: 'failed', message: 'connection refused' }, 1000],
    [
      'the hook rests',
      { type: 'resting', until: instant(1_700_000_012_000), message: 'it failed too often' },
      12_000,
    ],
  ])('%s', ([, answer, after]) => {
    expect(finished(snapshot({ answers: { 'pre-reconcile': answer } }))).toMatchObject({
      after,
      outcome: 'failed',
    });
  });

  test.for([
    ['a hook that answers with an error, until it is in quarantine', replied('', 500), 300_000],
    ['no server that answers', { type: 'failed', message: 'closed' }, 256_000],
  ] as const)('the wait doubles up to five minutes: %s', ([, answer, ninth]) => {
    const waits = [0, 1, 2, 4, 8, 9, 30].map(
      (failures) =>
        finished(
          snapshot({
            answers: { 'pre-reconcile': answer },
            memory: { ...freshMemory, generation: 1, failures },
          }),
        ).after,
    );
    expect(waits).toEqual([1000, 2000, 4000, 16_000, ninth, 300_000, 300_000]);
  });

  test('patches that do not apply are retried more seldom', () => {
    const broken = replied({ patches: [{ main: { kind: 'Pod' } }] });
    const memory = { ...freshMemory, generation: 1, failures: 30 };
    expect(finished(snapshot({ answers: { 'pre-reconcile': broken }, memory })).after).toBe(minutes(30));
  });

  test('what was not declared is dropped with a warning', () => {
    const registration = hooked({}, { parameterConfiguration: { addEnvsFromHook: ['A'] } });
    const reply = replied({
      envVars: [{ name: 'B', value: '1' }],
      status: {
        conditions: [
          { type: 'Strange', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
      },
      extra: 1,
    });
    const end = finished(snapshot({ registration, answers: { ...answers, 'pre-reconcile': reply } }));
    expect(end.events.map(({ reason }) => reason)).toEqual([
      'HookVariableIgnored',
      'HookConditionIgnored',
      'HookReplyUnknown',
    ]);
    expect(end.events[1]?.message).toBe(
      'hook of registration kuard, pre-reconcile: condition Strange ignored: not in conditionsFromHook',
    );
    expect(conditions(end)).toEqual([
      'DeploymentReady True/MinimumReplicasAvailable',
      'KuardReady Unknown/UNKNOWN',
      'Ready Unknown/UNKNOWN',
      'ServiceReady True/ServiceExist',
    ]);
  });

  test('of an object in a reply only the status is taken', () => {
    const object = {
      apiVersion: 'x',
      kind: 'Kuard',
      metadata: { finalizers: [] },
      spec: { evil: true },
      status: { conditions: [{ type: 'KuardReady', status: 'True' }], other: 1 },
    };
    const step = decideReconcile(snapshot({ answers: { ...answers, 'pre-reconcile': replied({ object }) } }));
    expect(JSON.stringify(step)).not.toContain('EVIL');
    const end = finished(snapshot({ answers: { ...answers, 'pre-reconcile': replied({ object }) } }));
    expect(at(end.status, 'other')).toBeUndefined();
    expect(conditions(end)).toContain('Ready True/CONDITIONSOK');
  });
});

test('a whole instance whose schema has no conditions is sent as it is', () => {
  const registration = registered({
    spec: { hook: hookSpec({ payload: 'full', capabilities: ['pre-reconcile'] }) },
  });
  const supports = { ...kuardKind.supports, conditions: false };
  const step = decideReconcile(kuardSnapshot({ registration, kind: { ...kuardKind, supports } }));
  expect(step).toMatchObject({ type: 'call', request: { object: kuard() } });
  expect(step.type === 'call' && step.request['object']).not.toHaveProperty('status');
});

test('a hook of the later dialect finds its condition, changes it, and sends all back', () => {
  const registration = hooked({ payload: 'full', capabilities: ['pre-reconcile', 'finalize'] });
  const step = decideReconcile(snapshot({ registration }));
  if (step.type !== 'call') throw new Error(step.type);
  const object = JSON.parse(JSON.stringify(step.request['object'])) as {
    status: { conditions: JsonObject[]; annotations: JsonObject };
  };
  object.status.conditions = object.status.conditions.map((each) =>
    each['type'] === 'KuardReady' ? { ...each, status: 'True', reason: 'HOOKREPORTSOK' } : each,
  );
  object.status.annotations = { greetings: 'from hook' };
  const reply = { object: object as unknown as Json, children: step.request['children'] ?? null };
  const end = finished(snapshot({ registration, answers: { 'pre-reconcile': replied(reply) } }));
  expect(end.events).toEqual([]);
  expect(conditions(end)).toEqual([
    'DeploymentReady True/MinimumReplicasAvailable',
    'KuardReady True/HOOKREPORTSOK',
    'Ready True/CONDITIONSOK',
    'ServiceReady True/ServiceExist',
  ]);
  expect(at(end.status, 'annotations')).toMatchObject({ greetings: 'from hook' });
});

describe('children', () => {
  test('all is well', () => {
    const given = kuardSnapshot();
    const end = finished(given);
    expect(end).toMatchObject({ outcome: 'done', after: minutes(600), events: [] });
    expect(end.status).toMatchObject({
      observedGeneration: 1,
      address: { url: 'http://kuard-my-kuard-extension.default.svc.cluster.local' },
      conditions: [
        {
          type: 'DeploymentReady',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: '',
          lastTransitionTime: '2023-11-14T22:13:20Z',
        },
        { type: 'Ready', status: 'True', reason: 'CONDITIONSOK', message: '' },
        { type: 'ServiceReady', status: 'True', reason: 'ServiceExist', message: '' },
      ],
    });
  });

  test('a second time nothing is written', () => {
    const given = snapshot({ answers });
    const end = finished(given);
    const requeue = {
      ...given,
      now: instant(given.now + 3000),
      instance: { ...given.instance, status: end.status ?? {} },
      memory: end.memory,
    };
    expect(finished(requeue)).toMatchObject({ status: undefined, events: [] });
  });

  test('a stranger of the same name is not taken over', () => {
    const [deployment] = settled(decideReconcile(kuardSnapshot()));
    const conflicting = withMeta(deployment!, {
      ownerReferences: [{ kind: 'Other', name: 'o', uid: 'other', controller: true }],
    });
    const end = finished(kuardSnapshot({ live: [conflicting] }));
    expect(end).toMatchObject({ outcome: 'failed', after: 1000 });
    expect(conditions(end)).toContain('Reconciled False/CHILDCONFLICT');
    expect(conditions(end)).toContain('DeploymentReady Unknown/DeploymentUnknown');
    expect(end.events[0]?.message).toMatch(/Deployment default\/kuard-my-kuard-extension belongs to Other o/);
  });

  test('what is not rendered any more is pruned, unless the hook failed', () => {
    const live = settled(decideReconcile(kuardSnapshot()));
    const bare = { formFactor: { deployment: { replicas: 1 } } };
    const step = decideReconcile(kuardSnapshot({ registration: registered({ workload: bare }), live }));
    expect(step.type === 'apply' && step.prune.map((each) => each['kind'])).toEqual(['Service']);
    const registration = hooked({}, bare);
    const failing = { ...answers, 'pre-reconcile': replied({ error: { message: 'm', halt: false } }) };
    expect(decideReconcile(snapshot({ registration, live, answers: failing }))).toMatchObject({
      type: 'apply',
      prune: [],
    });
    expect(decideReconcile(snapshot({ registration, live, answers })).type === 'apply').toBe(true);
    const leaving = withMeta(live[1]!, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(
      decideReconcile(kuardSnapshot({ registration: registered({ workload: bare }), live: [leaving] })),
    ).toMatchObject({ prune: [] });
    const foreign = withMeta(live[1]!, { labels: {} });
    expect(
      decideReconcile(kuardSnapshot({ registration: registered({ workload: bare }), live: [foreign] })),
    ).toMatchObject({ prune: [] });
  });

  test('of several Deployments of an instance the one that we name counts', () => {
    const [deployment, service] = settled(decideReconcile(kuardSnapshot()));
    const other = withMeta(settled(decideReconcile(kuardSnapshot()), 'False')[0]!, {
      name: 'other',
      labels: {},
    });
    const live = [deployment!, service!, other];
    const end = finish(decideReconcile(kuardSnapshot({ live, applied: [] })));
    expect(conditions(end)).toContain('DeploymentReady True/MinimumReplicasAvailable');
  });

  test('a form factor that is exchanged leaves nothing behind', () => {
    const live = settled(decideReconcile(kuardSnapshot()));
    const registration = registered({ workload: { formFactor: { knativeService: {} } } });
    const step = decideReconcile(kuardSnapshot({ registration, live }));
    expect(step.type === 'apply' && step.prune.map((each) => each['kind'])).toEqual([
      'Deployment',
      'Service',
    ]);
  });

  test('references are fetched before anything else', () => {
    const toEnv = [
      { path: 'spec.sink', name: 'K_SINK', valueFrom: { builtInFunc: { name: 'resolveAddress' } } },
    ];
    const registration = registered({ workload: { parameterConfiguration: { fromSpec: { toEnv } } } });
    const instance = kuard({ sink: { ref: { kind: 'Service', name: 's' } } });
    const step = decideReconcile(kuardSnapshot({ registration, instance }));
    expect(step).toEqual({
      type: 'fetch',
      references: [{ apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 's' }],
    });
    const missing = new Map([['v1 Service default/s', undefined]]);
    const end = finished(kuardSnapshot({ registration, instance, references: missing }));
    expect(end).toMatchObject({ outcome: 'failed', after: 1000 });
    expect(conditions(end)).toContain('Reconciled Unknown/ADDRESSUNRESOLVED');
  });

  test('what cannot be rendered waits for a change', () => {
    const end = finished(kuardSnapshot({ instance: kuard({ a: null }) }));
    expect(end).toMatchObject({ outcome: 'failed', after: minutes(600) });
    expect(conditions(end)).toContain('Reconciled False/RENDERFAILED');
    const instance = { ...snapshot().instance, spec: { a: null } };
    expect(decideReconcile(snapshot({ instance, answers: { 'pre-reconcile': good } }))).toMatchObject({
      type: 'finish',
    });
  });

  test('a refusal of the server is reported, with its object', () => {
    const refused = (isTry: boolean) =>
      [{ key: 'deployment', result: { type: 'refused', message: 'no', isTry } }] as const;
    const plain = finish(decideReconcile(kuardSnapshot({ applied: refused(false) })));
    expect(conditions(plain)).toContain('Reconciled False/APPLYFAILED');
    const patched = {
      ...answers,
      'post-reconcile': replied({ patches: [{ main: { spec: { replicas: 2 } } }] }),
    };
    const hooks = finish(decideReconcile(snapshot({ answers: patched, applied: refused(true) })));
    expect(conditions(hooks)).toContain('Reconciled False/PATCHREJECTED');
    expect(hooks.events[0]?.message).toMatch(/nothing was applied/);
  });

  test('a hook with a different reply every time is stopped, until two replies are the same', () => {
    let memory = freshMemory;
    const outcomes: string[] = [];
    const cycle = (value: number, now: number): Finish => {
      const reply = replied({ envVars: [{ name: 'R', value: String(value) }] });
      const end = finished(
        snapshot({ memory, now: instant(now), answers: { ...answers, 'pre-reconcile': reply } }),
      );
      memory = end.memory;
      outcomes.push(end.outcome);
      return end;
    };
    for (let i = 0; i < 7; i += 1) cycle(i, 1_700_000_000_000 + i * 1000);
    expect(outcomes).toEqual(['done', 'done', 'done', 'done', 'done', 'failed', 'failed']);
    const last = cycle(7, 1_700_000_010_000);
    expect(conditions(last)).toContain('Reconciled False/HOOKNOTDETERMINISTIC');
    expect(cycle(7, 1_700_000_011_000).outcome).toBe('done');
    memory = freshMemory;
    outcomes.length = 0;
    for (let i = 0; i < 8; i += 1) cycle(i, 1_700_000_000_000 + i * minutes(60));
    expect(outcomes).not.toContain('failed');
    memory = freshMemory;
    outcomes.length = 0;
    for (let i = 0; i < 20; i += 1) cycle(i, 1_700_000_000_000 + i * minutes(3));
    expect(outcomes).not.toContain('failed');
  });
});

describe('deletion', () => {
  const gone = '2023-11-14T22:13:10Z';
  const deleting = (meta: JsonObject = {}) => held({ deletionTimestamp: gone, ...meta });
  const ask = (reply: Json, more: Partial<InstanceSnapshot> = {}, status?: number): ReconcileStep =>
    decideReconcile(
      snapshot({ instance: deleting(), answers: { finalize: replied(reply, status) }, ...more }),
    );

  test.for<[string, Json, number]>([
    ['nothing', '', 200],
    ['204', '', 204],
    ['an error without halt', { error: { message: 'm', halt: false } }, 200],
    ['permanent, without halt', { error: { message: 'm', halt: false, permanent: true } }, 200],
    ['texts', { error: { message: 'm', halt: 'false' } }, 200],
    ['continue', { message: 'm', continue: true }, 500],
    ['nonsense beside', { status: 7, children: { deployment: null } }, 200],
  ])('%s lets it go', ([, reply, status]) => {
    const step = ask(reply, {}, status);
    expect(step.type).toBe('remove-finalizer');
    if (JSON.stringify(reply).includes('"m"')) expect(step).toMatchObject({ events: [{ type: 'Warning' }] });
  });

  test.for<[string, Json, number, number]>([
    ['halt', { error: { message: 'm', halt: true } }, 200, 1000],
    ['an error that does not say', { error: { message: 'm' } }, 200, 1000],
    ['permanent and halt', { error: { message: 'm', halt: true, permanent: true } }, 200, minutes(600)],
    ['texts', { error: { message: 'm', halt: 'true', permantent: 'true' } }, 200, minutes(600)],
    ['flat', { message: 'm', continue: false }, 500, 1000],
    ['flat and permanent', { message: 'm', permanent: true }, 500, minutes(600)],
    ['text', 'no', 500, 1000],
    ['a redirect', '', 302, 1000],
    ['no JSON', '{', 200, 1000],
    ['a member twice', '{"finalized":true,"finalized":true}', 200, 1000],
    ['__proto__', '{"__proto__":{"finalized":true}}', 200, 1000],
  ])('%s keeps it', ([, reply, status, after]) => {
    const end = finish(ask(reply, {}, status));
    expect(end).toMatchObject({ outcome: 'failed', after });
    expect(conditions(end).some((each) => each.startsWith('Reconciled'))).toBe(true);
    // Events cannot be written in a namespace that is deleted.
    for (const said of [end.events.at(-1)?.message, messageOf(end, 'Reconciled'), messageOf(end, 'Ready')])
      expect(said).toContain(`${skipFinalizeAnnotation}=true`);
  });

  test.for<[string, HookAnswer, number]>([
    ['429', { type: 'answer', status: 429, retryAfter: '7', body: '' }, 7000],
    ['503', { type: 'answer', status: 503, retryAfter: '7', body: '' }, 7000],
    ['a call that came to no end', { type: 'failed', message: 'it did not answer in time' }, 1000],
  ])('%s keeps it, and the hook is called again', ([, answer, after]) => {
    const end = finish(decideReconcile(snapshot({ instance: deleting(), answers: { finalize: answer } })));
    expect(end).toMatchObject({ outcome: 'failed', after });
  });

  test('without our finalizer the hook is not called', () => {
    const instance = kuard({}, { deletionTimestamp: gone, finalizers: ['example.com/other'] });
    expect(decideReconcile(snapshot({ instance }))).toMatchObject({
      type: 'finish',
      status: undefined,
      after: undefined,
    });
  });

  test('whether the finalizer is there is seen on the instance, not in the reply', () => {
    expect(ask({ object: { apiVersion: 'x', kind: 'Kuard', metadata: {} } })).toMatchObject({
      type: 'remove-finalizer',
    });
  });

  test.for(['foregroundDeletion', 'orphan'])('the garbage collector comes first (%s)', (other) => {
    const instance = deleting({ finalizers: [finalizer, other] });
    expect(decideReconcile(snapshot({ instance }))).toMatchObject({ type: 'finish', outcome: 'waiting' });
  });

  test('finalized: false is no error, and the reply sets the time of the next call', () => {
    const end = finish(ask({ finalized: false, resyncAfterSeconds: 5 }));
    expect(end).toMatchObject({ outcome: 'waiting', after: 5000, events: [] });
    expect(finish(ask({ finalized: false })).after).toBe(seconds(30));
    expect(conditions(end)).toContain('Reconciled Unknown/FINALIZING');
  });

  test('the annotation lets it go unasked', () => {
    const instance = deleting({ annotations: { [skipFinalizeAnnotation]: 'true' } });
    expect(decideReconcile(snapshot({ instance }))).toMatchObject({
      type: 'remove-finalizer',
      events: [{ reason: 'FinalizeSkipped' }],
    });
  });

  test('a paused one is not called, reports the reason once, and names both remedies', () => {
    const instance = deleting({ annotations: { [pausedAnnotation]: 'true' } });
    const end = finish(decideReconcile(snapshot({ instance })));
    expect(end).toMatchObject({
      outcome: 'paused',
      events: [{ type: 'Warning', reason: 'DeletionBlocked' }],
    });
    expect(conditions(end)).toContain('Reconciled Unknown/PAUSED');
    for (const way of [`${pausedAnnotation} blocks the deletion`, `${skipFinalizeAnnotation}=true`])
      expect(end.events[0]?.message).toContain(way);
    expect(finish(decideReconcile(snapshot({ instance, memory: end.memory }))).events).toEqual([]);
  });

  test('the annotation lets a paused one go too', () => {
    const annotations = { [pausedAnnotation]: 'true', [skipFinalizeAnnotation]: 'true' };
    const instance = deleting({ annotations });
    expect(decideReconcile(snapshot({ instance }))).toMatchObject({ type: 'remove-finalizer' });
  });

  test('a paused one without our finalizer is left alone', () => {
    const annotations = { [pausedAnnotation]: 'true' };
    const instance = kuard({}, { deletionTimestamp: gone, finalizers: ['example.com/other'], annotations });
    expect(decideReconcile(snapshot({ instance }))).toMatchObject({ type: 'finish', status: undefined });
  });

  test('a hook that does not let go in time is overruled', () => {
    const registration = hooked({ finalizeTimeout: 'PT30S' });
    const halt = { error: { message: 'm' } };
    expect(
      finish(ask(halt, { registration, memory: { ...freshMemory, generation: 1, failures: 9 } })).after,
    ).toBe(20_000);
    const later = instant(1_700_000_020_000);
    expect(ask(halt, { registration, now: later })).toMatchObject({
      type: 'remove-finalizer',
      events: [{ reason: 'FinalizeTimeout' }],
    });
  });
});

describe('a gate', () => {
  const registration = registered({
    spec: { gate: { templateName: 'smoke', args: [{ name: 'url', value: 'http://x' }] } },
  });
  const template = {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name: 'smoke', namespace: 'default', uid: 't', generation: 1 },
    spec: {
      args: [{ name: 'url' }, { name: 'InstanceName' }],
      metrics: [{ name: 'm', provider: { web: { url: '{{ args.url }}' } } }],
    },
  };
  const at_ = (phase: string | undefined) => ({
    template,
    run: {
      metadata: { name: 'run', namespace: 'default' },
      ...(phase === undefined ? {} : { status: { phase, message: 'because' } }),
    },
  });

  test('asks first', () => {
    const step = decideReconcile(kuardSnapshot({ registration, gate: { template, run: undefined } }));
    expect(step).toMatchObject({
      type: 'create-run',
      run: {
        kind: 'HookRun',
        metadata: {
          namespace: 'default',
          name: expect.stringMatching(/^kuard-my-kuard-extension-gate-[0-9a-f]{10}$/),
        },
        spec: {
          args: [
            { name: 'url', value: 'http://x' },
            { name: 'InstanceName', value: 'my-kuard-extension' },
          ],
        },
      },
    });
  });

  test('gives a template only the arguments that it declares', () => {
    const few = { ...template, spec: { ...template.spec, args: [{ name: 'url' }] } };
    const step = decideReconcile(kuardSnapshot({ registration, gate: { template: few, run: undefined } }));
    expect(step.type === 'create-run' && at(step.run, 'spec', 'args')).toEqual([
      { name: 'url', value: 'http://x' },
    ]);
  });

  test('opens when the verdict is Successful', () => {
    expect(decideReconcile(kuardSnapshot({ registration, gate: at_('Successful') }))).toMatchObject({
      type: 'apply',
    });
  });

  test.for<[string | undefined, string]>([
    [undefined, 'Reconciled Unknown/GATEWAITING'],
    ['Running', 'Reconciled Unknown/GATEWAITING'],
    ['Failed', 'Reconciled False/GATECLOSED'],
    ['Error', 'Reconciled False/GATECLOSED'],
    ['Inconclusive', 'Reconciled False/GATECLOSED'],
  ])('is shut while it is %s', ([phase, expected]) => {
    const end = finish(decideReconcile(kuardSnapshot({ registration, gate: at_(phase) })));
    expect(end.outcome).toBe('waiting');
    expect(conditions(end)).toContain(expected);
  });

  test('is shut without its template', () => {
    const end = finish(
      decideReconcile(kuardSnapshot({ registration, gate: { template: undefined, run: undefined } })),
    );
    expect(end.events[0]?.message).toMatch(/the gate HookTemplate default\/smoke does not exist/);
  });
});
