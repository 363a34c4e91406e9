import { expect, test } from 'vitest';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { GateStatus } from '#machines/kinds/operation-status.ts';
import type { JsonObject } from '#base/json.ts';
import { formatMicroTime, instant, later, seconds } from '#base/time.ts';
import { decideGate, type GateGiven } from './gate.ts';

const now = instant(Date.UTC(2026, 0, 5));
const template = {
  spec: { args: [{ name: 'NodeName' }], metrics: [{ name: 'm', provider: { web: { url: 'http://x' } } }] },
} as unknown as HookTemplate;
const owner = { apiVersion: 'platform.tkestack.io/v1', kind: 'Cluster', metadata: { name: 'c', uid: 'u' } };
const run = (phase: string, labels: JsonObject = {}): JsonObject => ({
  metadata: { name: 'run', labels, creationTimestamp: '2026-01-05T00:00:00Z' },
  status: { phase },
});
const asked: GateStatus = { name: 'g@n', state: 'Asked', namespace: 'default', run: 'run', attempt: 1 };

const given = (changes: Partial<GateGiven> & { pauses?: boolean; phase?: string } = {}): GateGiven => ({
  owner,
  operation: { id: 'op', type: 'cluster.upgrade' },
  gate: {
    name: 'g@n',
    hook: 'PreUpgrade',
    step: 'g',
    node: 'n',
    template: { templateName: 't', namespace: 'default', args: [] },
    pauses: changes.pauses ?? false,
  },
  before: undefined,
  run: () => (changes.phase === undefined ? undefined : run(changes.phase)),
  template: () => template,
  isPaused: false,
  wasPausedByHook: false,
  isRetried: false,
  now,
  ...changes,
});

test('it runs once, with the arguments of the template, in a HookRun that the Cluster owns', () => {
  const { after, create, hold } = decideGate(given());
  expect(create).toMatchObject({
    metadata: { namespace: 'default', ownerReferences: [{ kind: 'Cluster', uid: 'u', controller: true }] },
    spec: { args: [{ name: 'NodeName', value: 'n' }] },
  });
  expect(after).toMatchObject({ state: 'Asked', attempt: 1 });
  expect(hold).toMatchObject({ isBad: false });
  expect(decideGate(given()).after?.run).toBe(after?.run);
});

test.for([
  ['waits for a verdict', given({ before: asked, phase: 'Running' }), { state: 'Asked' }, 'WaitingForHook'],
  ['passes with a good one', given({ before: asked, phase: 'Successful' }), { state: 'Passed' }, undefined],
  [
    'holds after a bad one',
    given({ before: asked, phase: 'Failed' }),
    { state: 'Asked', attempt: 1 },
    'HookRunBad',
  ],
  [
    'runs again at once on retry',
    given({ before: asked, phase: 'Failed', isRetried: true }),
    { attempt: 2 },
    'WaitingForHook',
  ],
  [
    'runs again after a pause',
    given({ before: { ...asked, since: formatMicroTime(later(now, seconds(-1))) }, phase: 'Error' }),
    { attempt: 2 },
    'WaitingForHook',
  ],
  [
    'waits longer after a second bad one',
    given({
      before: { ...asked, attempt: 2, since: formatMicroTime(later(now, seconds(-1))) },
      phase: 'Error',
    }),
    { attempt: 2 },
    'HookRunBad',
  ],
  ['runs nothing while paused', given({ isPaused: true }), undefined, 'PausedByUser'],
  [
    'reports that its template is missing',
    given({ template: () => undefined }),
    undefined,
    'HookTemplateMissing',
  ],
  [
    'reports which argument is missing',
    given({ template: () => ({ ...template, spec: { ...template.spec, args: [{ name: 'service' }] } }) }),
    undefined,
    'HookArgMissing',
  ],
  [
    'stays passed',
    given({ before: { ...asked, state: 'Passed' }, phase: 'Failed' }),
    { state: 'Passed' },
    undefined,
  ],
  [
    'between batches pauses after a bad one',
    given({ pauses: true, before: asked, phase: 'Inconclusive' }),
    { state: 'Asked' },
    'PausedByStepBasedHook',
  ],
  [
    'stays paused until a user resumes',
    given({ pauses: true, before: asked, phase: 'Failed', isPaused: true, wasPausedByHook: true }),
    { state: 'Asked' },
    'PausedByStepBasedHook',
  ],
  [
    'is passed when a user resumes',
    given({ pauses: true, before: asked, phase: 'Failed', wasPausedByHook: true }),
    { state: 'Passed' },
    undefined,
  ],
  [
    'is passed when a user resumes and the run is gone',
    given({ pauses: true, before: asked, wasPausedByHook: true }),
    { state: 'Passed' },
    undefined,
  ],
  [
    'runs although an earlier one paused',
    given({ pauses: true, wasPausedByHook: true }),
    { state: 'Asked', attempt: 1 },
    'WaitingForHook',
  ],
  ['runs again when its run is gone', given({ before: asked }), { attempt: 1 }, 'WaitingForHook'],
  [
    'does not run again while paused',
    given({ before: asked, isPaused: true }),
    { state: 'Asked', run: 'run' },
    'PausedByUser',
  ],
] as const)('a question %s', ([, situation, after, reason]) => {
  const decision = decideGate(situation);
  if (after === undefined) expect(decision.after).toBeUndefined();
  else expect(decision.after).toMatchObject(after);
  expect(decision.hold?.reason).toBe(reason);
});

test('an edited entry starts another HookRun, and the old one is deleted', () => {
  const { create } = decideGate(given());
  const labels = (create as { metadata: { labels: JsonObject } }).metadata.labels;
  const same = given({ before: asked, run: () => run('Running', labels) });
  expect(decideGate(same)).toMatchObject({ after: asked, hold: { reason: 'WaitingForHook' } });
  const args = [{ name: 'NodeName', value: 'other' }];
  const gate = { ...same.gate, template: { ...same.gate.template, args } };
  expect(decideGate({ ...same, gate })).toMatchObject({
    after: { attempt: 2 },
    outdated: { namespace: 'default', name: 'run' },
  });
});

test('a gate that fails for days keeps three HookRuns', () => {
  const second = decideGate(given({ before: { ...asked, attempt: 1 }, phase: 'Failed', isRetried: true }));
  expect(second).not.toHaveProperty('outdated');
  const fourth = decideGate(given({ before: { ...asked, attempt: 3 }, phase: 'Failed', isRetried: true }));
  expect(fourth).toMatchObject({ after: { attempt: 4 }, outdated: { name: decideGate(given()).after?.run } });
});
