import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { runLabels } from '#decide/workload/run-labels.ts';
import { stepHashOf } from '#decide/workload/step-hash.ts';
import type { KubeObject } from '#kube/object.ts';
import { decide, parallel, podFrom, revisionOf, setOf, sightOf, told } from './objects-for-tests.ts';
import type { StatefulSight } from './sight.ts';

type Row = {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly pods?: readonly string[];
  readonly more?: Partial<StatefulSight>;
  readonly acts: readonly string[];
  /** The reason why it does not move. */
  readonly reason?: string;
};

/** The release has begun at an earlier look. */
const known = { updateRevision: 'new' };
const type = (name: string, rollingUpdate: JsonObject = {}): JsonObject => ({
  updateStrategy: { type: name, rollingUpdate },
});
const rolling = (rollingUpdate: JsonObject): JsonObject => type('RollingUpdate', rollingUpdate);
const preDelete = { preDeleteUpdateStrategy: { hook: { templateName: 'test' } } };
const five = (revision: string): readonly string[] => [0, 1, 2, 3, 4].map((each) => `${each} ${revision}`);
const lost = { node: () => ({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }) };
const claimed = { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }] };

const run = (point: 'pre-delete' | 'pre-inplace', ordinal: number, phase: string): KubeObject => ({
  metadata: {
    name: `${point}-old-${ordinal}`,
    creationTimestamp: '2026-01-05T12:00:00Z',
    labels: runLabels({
      kind: 'GameStatefulSet',
      workload: 'web',
      revision: 'old',
      point,
      instance: String(ordinal),
    }),
  },
  status: { phase },
});

const scaling: readonly Row[] = [
  { name: 'A13: the first comes first', pods: [], acts: ['create web-0 new'] },
  { name: 'the next waits for the one before', pods: ['0 new unready'], acts: [], reason: 'WaitingForPods' },
  { name: 'and comes when it is in service', pods: ['0 new'], acts: ['create web-1 new'] },
  {
    name: 'A13: parallel ones come together',
    spec: { ...parallel, replicas: 3 },
    pods: ['0 new'],
    acts: ['create web-1 new', 'create web-2 new'],
  },
  {
    name: 'reserved ordinals stay empty, and their pods go',
    spec: { ...parallel, replicas: 3, reserveOrders: [1] },
    pods: ['0 new', '1 new'],
    acts: ['create web-2 new', 'create web-3 new', 'delete web-1'],
  },
  {
    name: 'a new set grows in batches',
    spec: { ...parallel, scaleStrategy: { createBatch: '40%' } },
    acts: ['create web-0 new', 'create web-1 new'],
  },
  {
    name: 'the next batch waits for the last one',
    spec: { ...parallel, scaleStrategy: { createBatch: 2 } },
    pods: ['0 new', '1 new unready'],
    acts: ['create web-2 new'],
  },
  {
    name: 'claims come before the pod',
    spec: { ...claimed, replicas: 1 },
    acts: ['create web-0 new after data-web-0'],
  },
  {
    name: 'a claim that is there is not made again',
    spec: { ...claimed, replicas: 1 },
    more: { claim: (name) => ({ metadata: { name } }) },
    acts: ['create web-0 new'],
  },
  {
    name: 'a claim on its way out is waited for',
    spec: { ...claimed, replicas: 1 },
    more: { claim: (name) => ({ metadata: { name, deletionTimestamp: '2026-01-05T12:00:00Z' } }) },
    acts: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'a failed pod is made anew: the first only',
    pods: ['0 new', '1 new failed', '2 new failed'],
    acts: ['delete web-1'],
  },
  {
    name: 'all of them, if they are parallel',
    spec: { ...parallel, replicas: 3 },
    pods: ['0 new', '1 new failed', '2 new failed'],
    acts: ['delete web-1', 'delete web-2'],
  },
  {
    name: 'one on its way out is waited for',
    pods: ['0 new', '1 new deleting'],
    acts: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'not by parallel ones',
    spec: { ...parallel, replicas: 3 },
    pods: ['0 new', '1 new deleting'],
    acts: ['create web-2 new'],
  },
  {
    name: 'condemned: the highest first, and no other',
    spec: { replicas: 2 },
    pods: five('new'),
    acts: ['delete web-4'],
  },
  {
    name: 'condemned: one that goes is waited for',
    spec: { replicas: 2 },
    pods: ['0 new', '1 new', '2 new', '3 new deleting'],
    acts: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'condemned: all, if they are parallel',
    spec: { ...parallel, replicas: 2 },
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new deleting'],
    acts: ['delete web-3', 'delete web-2'],
  },
  {
    name: 'condemned: a sick one waits for those before it',
    spec: { replicas: 2 },
    pods: ['0 new', '1 new', '2 new unready', '3 new unready'],
    acts: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'condemned: the sickest itself may go',
    spec: { replicas: 2 },
    pods: ['0 new', '1 new', '2 new unready'],
    acts: ['delete web-2'],
  },
  {
    name: 'a new set without pods and without replicas',
    spec: { replicas: 0 },
    acts: [],
  },
  {
    name: 'one that somebody else named is left alone',
    spec: { ...parallel, replicas: 1 },
    pods: ['0 new'],
    more: { revisions: [revisionOf('new')] },
    acts: [],
  },
];

const repairs: readonly Row[] = [
  {
    name: 'a lost label comes back',
    spec: { replicas: 1 },
    pods: ['0 new unlabelled'],
    acts: ['label web-0'],
  },
  {
    name: 'a pod without its volumes is replaced',
    spec: { ...claimed, ...parallel, replicas: 2, ...type('InplaceUpdate') },
    pods: ['0 new', '1 new volumeless'],
    status: known,
    acts: ['delete web-1'],
  },
  {
    name: 'a new pod gets its gate, paused or not (G2)',
    spec: { replicas: 1, updateStrategy: { paused: true } },
    pods: ['0 new unready ungated'],
    status: known,
    acts: ['open web-0'],
    reason: 'PausedByUser',
  },
  {
    name: 'a hook that is enforced needs a finalizer',
    spec: { replicas: 1, preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } },
    pods: ['0 new'],
    acts: ['finalizer web-0'],
  },
  {
    name: 'and is asked, whoever deletes the pod',
    spec: { replicas: 1, preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } },
    pods: ['0 new deleting held'],
    acts: ['ask predelete-new-0-test'],
    reason: 'WaitingForPodHook',
  },
];

const updates: readonly Row[] = [
  { name: 'A14: from the highest ordinal down', spec: rolling({}), pods: five('old'), status: known, acts: ['delete web-4'] },
  {
    name: 'one after another',
    spec: rolling({ maxUnavailable: 2 }),
    pods: ['0 old', '1 old', '2 old', '3 old', '4 new unready'],
    status: known,
    acts: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'A14: down to the partition',
    spec: rolling({ partition: 3 }),
    pods: ['0 old', '1 old', '2 old', '3 new', '4 new'],
    status: known,
    acts: [],
  },
  {
    name: 'a share of replicas is rounded up',
    spec: { ...parallel, ...rolling({ partition: '50%', maxUnavailable: 5 }) },
    pods: five('old'),
    status: known,
    acts: ['delete web-4', 'delete web-3'],
  },
  {
    name: 'reserved ordinals do not count for the partition',
    spec: { ...parallel, replicas: 3, reserveOrders: [1], ...rolling({ partition: 2, maxUnavailable: 3 }) },
    pods: ['0 old', '2 old', '3 old'],
    status: known,
    acts: ['delete web-3'],
  },
  {
    name: 'parallel ones as the budget allows (25 % of 5 is 2)',
    spec: { ...parallel, ...rolling({}) },
    pods: five('old'),
    status: known,
    acts: ['delete web-4', 'delete web-3'],
  },
  {
    name: 'the budget is used up by those that come',
    spec: { ...parallel, ...rolling({ maxUnavailable: 2 }) },
    pods: ['0 old', '1 old', '2 old', '3 new unready', '4 new unready'],
    status: known,
    acts: [],
    reason: 'MaxUnavailableReached',
  },
  {
    name: 'terminating ones are skipped, and count',
    spec: { ...parallel, ...rolling({ maxUnavailable: 2 }) },
    pods: ['0 old', '1 old', '2 old', '3 old', '4 old deleting'],
    status: known,
    acts: ['delete web-3'],
  },
  {
    name: 'S2: a new template heals a set whose pods are broken',
    spec: { ...parallel, ...rolling({ maxUnavailable: 1 }) },
    pods: five('old unready'),
    status: known,
    acts: ['delete web-4', 'delete web-3', 'delete web-2', 'delete web-1', 'delete web-0'],
  },
  {
    name: 'S2: in order as well, and the healthy ones are spared',
    spec: rolling({ maxUnavailable: 1 }),
    pods: ['0 old', '1 old unready', '2 old', '3 old', '4 old'],
    status: known,
    acts: ['delete web-1'],
  },
  {
    name: 'S2: broken pods of a release in the middle too',
    spec: rolling({}),
    pods: ['0 old', '1 old', '2 old', '3 old', '4 third unready'],
    status: known,
    acts: ['delete web-4'],
  },
  {
    name: 'S6: paused is honoured',
    spec: { ...parallel, updateStrategy: { paused: true } },
    pods: five('old'),
    status: known,
    acts: [],
    reason: 'PausedByUser',
  },
  {
    name: 'S6: and what is lost meanwhile comes back as it was',
    spec: { ...parallel, updateStrategy: { paused: true } },
    pods: ['1 old', '3 old', '4 new'],
    status: { ...known, currentRevision: 'old' },
    acts: ['create web-0 old', 'create web-2 old'],
    reason: 'PausedByUser',
  },
  { name: 'S7: without a type it rolls', pods: five('old'), status: known, acts: ['delete web-4'] },
  { name: 'OnDelete: nothing by itself', spec: { updateStrategy: { type: 'OnDelete' } }, pods: five('old'), status: known, acts: [] },
  {
    name: 'OnDelete: what is missing is new',
    spec: { ...parallel, updateStrategy: { type: 'OnDelete' } },
    pods: ['0 old', '2 old', '3 old', '4 old failed'],
    status: known,
    acts: ['create web-1 new', 'delete web-4'],
  },
  { name: 'A15: in place, one after another', spec: type('InplaceUpdate'), pods: five('old'), status: known, acts: ['in place web-4'] },
  {
    name: 'A15: in place, parallel',
    spec: { ...parallel, ...type('InplaceUpdate', { partition: 3, maxUnavailable: 2 }) },
    pods: five('old'),
    status: known,
    acts: ['in place web-4', 'in place web-3'],
  },
  {
    name: 'in place, impossible',
    spec: type('InplaceUpdate'),
    pods: five('old'),
    status: { updateRevision: 'env' },
    more: { updateRevision: revisionOf('env') },
    acts: [],
    reason: 'InPlaceImpossible',
  },
  {
    name: 'in place where possible: else by a new pod',
    spec: type('InplaceIfPossible'),
    pods: five('old'),
    status: { updateRevision: 'env' },
    more: { updateRevision: revisionOf('env') },
    acts: ['delete web-4'],
  },
  {
    name: 'in place, and a budget of somebody else says no',
    spec: type('InplaceUpdate'),
    pods: five('old'),
    status: known,
    more: { takeDisruption: () => false },
    acts: [],
    reason: 'BlockedByDisruptionBudget',
  },
  {
    name: 'A16: by hot patch, where nodes can',
    spec: type('HotPatchUpdate', { partition: 3 }),
    pods: five('old'),
    status: known,
    more: { node: () => ({ metadata: { labels: { 'boathook.dev/hot-patch': 'true' } } }) },
    acts: ['UpdatePodHotPatch web-4'],
  },
  {
    name: 'by hot patch, where none can',
    spec: type('HotPatchUpdate'),
    pods: five('old'),
    status: known,
    acts: [],
    reason: 'HotPatchUnsupported',
  },
  {
    name: 'nothing may ever be out of service, and nothing may be added',
    spec: rolling({ maxUnavailable: 0, maxSurge: 1 }),
    pods: five('old'),
    status: known,
    acts: [],
    reason: 'InvalidSpec',
  },
];

const hooks: readonly Row[] = [
  {
    name: 'a condemned pod is asked about, by its ordinal',
    spec: { ...preDelete, replicas: 4 },
    pods: five('new'),
    acts: ['mark scale-down web-4', 'ask predelete-new-4-test'],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'S9: while one waits, others are updated',
    spec: { ...preDelete, replicas: 4, ...type('InplaceUpdate'), preInplaceUpdateStrategy: { hook: { templateName: 'test' } } },
    pods: ['0 old', '1 old', '2 old', '3 old', '4 old leaving=scale-down'],
    status: known,
    more: { runs: [run('pre-delete', 4, 'Failed')] },
    acts: ['annotate web-3', 'ask preinplace-old-3-test'],
    reason: 'PodHookFailed',
  },
  {
    name: 'a good verdict lets it go',
    spec: { ...preDelete, ...rolling({}) },
    pods: five('old'),
    status: known,
    more: { runs: [run('pre-delete', 4, 'Successful')] },
    acts: ['delete web-4'],
  },
  {
    name: 'who was asked about stays chosen (G9)',
    spec: { ...preDelete, ...parallel, ...rolling({ maxUnavailable: 1 }) },
    pods: ['0 old', '1 old', '2 old leaving=rolling-update', '3 old', '4 old'],
    status: known,
    more: { runs: [run('pre-delete', 2, 'Running')] },
    acts: [],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'in place without a hook of its own: that of deletions',
    spec: { ...preDelete, ...type('InplaceUpdate') },
    pods: five('old'),
    status: known,
    acts: ['annotate web-4', 'ask predelete-old-4-test'],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'a pod that does not run is not asked about',
    spec: { ...preDelete, replicas: 4 },
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new pending'],
    acts: ['delete web-4'],
  },
  {
    name: 'a missing template is told',
    spec: { preDeleteUpdateStrategy: { hook: { templateName: 'none' } }, replicas: 4 },
    pods: five('new'),
    acts: ['mark scale-down web-4'],
    reason: 'HookTemplateMissing',
  },
  {
    name: 'scaled away and wanted again: it stays',
    spec: preDelete,
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new leaving=scale-down'],
    acts: ['unmark web-4'],
  },
  {
    name: 'the template was set back: it stays',
    spec: preDelete,
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new leaving=rolling-update'],
    acts: ['unmark web-4'],
  },
  {
    name: 'the partition was raised: it stays',
    spec: { ...preDelete, ...rolling({ partition: 5 }) },
    pods: ['0 old', '1 old', '2 old', '3 old', '4 old leaving=rolling-update'],
    status: known,
    acts: ['unmark web-4'],
  },
];

const steps = [{ partition: 3 }, { pause: {} }, { partition: 1 }];
const canary = (stepIndex: number, more: JsonObject = {}): Pick<Row, 'spec' | 'status'> => ({
  spec: { ...parallel, updateStrategy: { canary: { steps }, rollingUpdate: { maxUnavailable: 5 } }, ...more },
  status: {
    updateRevision: 'new',
    currentStepIndex: stepIndex,
    currentStepHash: stepHashOf(steps),
    canary: { revision: 'old' },
  },
});
const surging = (maxSurge: number, more: JsonObject = {}): JsonObject => ({
  ...parallel,
  ...rolling({ maxUnavailable: 0, maxSurge, ...more }),
});

const releases: readonly Row[] = [
  {
    name: 'a step is a partition',
    ...canary(0),
    pods: five('old'),
    acts: ['delete web-4', 'delete web-3'],
    reason: 'WaitingForPods',
  },
  {
    name: 'what is lost below it comes back old',
    ...canary(0),
    pods: ['1 old', '2 old', '3 new', '4 new unready'],
    acts: ['create web-0 old'],
    reason: 'WaitingForPods',
  },
  {
    name: 'what is lost above it comes back new',
    ...canary(0),
    pods: ['0 old', '1 old', '2 old'],
    acts: ['create web-3 new', 'create web-4 new'],
    reason: 'WaitingForPods',
  },
  {
    name: 'surge comes first where nothing may be out of service',
    spec: surging(2),
    pods: five('old'),
    status: known,
    acts: ['create web-5 new', 'create web-6 new'],
    reason: 'MaxUnavailableReached',
  },
  {
    name: 'and pays for updates once it is in service',
    spec: surging(2),
    pods: [...five('old'), '5 new', '6 new unready'],
    status: known,
    acts: ['delete web-4'],
  },
  {
    name: 'S5: no more surge than is left above the partition',
    spec: surging(3, { partition: 4 }),
    pods: five('old'),
    status: known,
    acts: ['create web-5 new'],
    reason: 'MaxUnavailableReached',
  },
  {
    name: 'surge goes in the end',
    spec: surging(2, { partition: 3 }),
    pods: ['0 old', '1 old', '2 old', '3 new', '4 new', '5 new', '6 new'],
    status: known,
    acts: ['delete web-6', 'delete web-5'],
  },
  {
    name: 'what was scaled away is no surge',
    spec: surging(1),
    pods: [...five('old'), '5 old'],
    status: known,
    acts: ['delete web-5'],
    reason: 'MaxUnavailableReached',
  },
  {
    name: 'paused: no more surge, and what is there stays',
    spec: { ...surging(2), updateStrategy: { paused: true, rollingUpdate: { maxSurge: 2 } } },
    pods: [...five('old'), '6 new'],
    status: known,
    acts: [],
    reason: 'PausedByUser',
  },
  {
    name: 'in order there is no surge',
    spec: rolling({ maxSurge: 2 }),
    pods: five('old'),
    status: known,
    acts: ['delete web-4'],
  },
  {
    name: 'in order, a lost pod whose turn has not come is old',
    spec: rolling({}),
    pods: ['0 old', '2 old', '3 old', '4 new'],
    status: known,
    acts: ['create web-1 old'],
  },
  {
    name: 'and the one whose turn it is, new',
    spec: rolling({}),
    pods: ['0 old', '1 old', '2 old', '3 old'],
    status: known,
    acts: ['create web-4 new'],
  },
  {
    name: 'S9: parallel ones come new at once',
    spec: { ...parallel, ...rolling({}) },
    pods: ['2 old', '3 old', '4 old'],
    status: known,
    acts: ['create web-0 new', 'create web-1 new'],
    reason: 'MaxUnavailableReached',
  },
  {
    name: 'after an abort all go back to the stable revision',
    ...canary(2),
    status: { ...canary(2).status, canary: { revision: 'old', abortedRevision: 'new' } },
    pods: ['0 old', '1 old', '2 new', '3 new', '4 new'],
    acts: ['delete web-4', 'delete web-3', 'delete web-2'],
    reason: 'Aborted',
  },
];

const losses: readonly Row[] = [
  { name: 'a lost node: the pod waits', pods: ['0 new deleting'], more: lost, acts: [], reason: 'WaitingForPods' },
];

test.for([...scaling, ...repairs, ...updates, ...hooks, ...releases, ...losses])('$name', (row) => {
  const set = setOf(row.spec ?? {}, row.status ?? {});
  const pods = (row.pods ?? []).map((each) => podFrom(set, each));
  const { acts, status } = decide(sightOf(set, pods, row.more));
  expect(acts.map(told)).toEqual(row.acts);
  const progressing = (status['conditions'] as readonly JsonObject[]).find((each) => each['type'] === 'Progressing');
  if (row.reason !== undefined) expect(progressing).toMatchObject({ reason: row.reason });
});

const annotated = { 'pod.gamestatefulset.bkbcs.tencent.com/node-lost-force-delete': 'true' };

test.for<readonly [string, JsonObject, Partial<StatefulSight>, readonly string[]]>([
  ['a lost node, and the pod says it may go', { annotations: annotated }, lost, ['force delete web-0']],
  ['the node is well', { annotations: annotated }, {}, []],
  ['the node is gone', { annotations: annotated }, { node: () => undefined }, ['force delete web-0']],
  ['once is enough', { annotations: annotated, deletionGracePeriodSeconds: 0 }, lost, []],
  ['nothing was said', {}, lost, []],
])('%s', ([, metadata, more, acts]) => {
  const set = setOf({ replicas: 1 });
  const pod = podFrom(set, '0 new deleting', metadata);
  expect(decide(sightOf(set, [pod], more)).acts.map(told)).toEqual(acts);
});

test('a pending pod gets the claims it lacks', () => {
  const set = setOf({ ...claimed, replicas: 1 });
  const { acts, claims } = decide(sightOf(set, [podFrom(set, '0 new pending')]));
  expect(acts).toEqual([]);
  expect(claims).toMatchObject([{ metadata: { name: 'data-web-0', labels: { app: 'x' } } }]);
});

test('a pod has its name, its place in the network, its claims, its gate and its finalizer', () => {
  const enforced = { preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } };
  const [act] = decide(sightOf(setOf({ ...claimed, ...enforced }), [])).acts;
  expect(act).toMatchObject({
    type: 'create-pod',
    pod: {
      metadata: {
        name: 'web-0',
        labels: {
          app: 'x',
          'controller-revision-hash': 'new',
          'gamestatefulset.kubernetes.io/pod-name': 'web-0',
          'gamestatefulset.kubernetes.io/pod-ordinal': '0',
        },
        finalizers: ['boathook.dev/pre-delete-hook'],
        ownerReferences: [{ kind: 'GameStatefulSet', name: 'web', controller: true }],
      },
      spec: {
        hostname: 'web-0',
        subdomain: 'web',
        readinessGates: [{ conditionType: 'InPlaceUpdateReady' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }],
      },
    },
  });
});

test.for<readonly [string, JsonObject, JsonObject, readonly string[], JsonObject]>([
  [
    'A14: the row of a partition',
    rolling({ partition: 3 }),
    known,
    ['0 old', '1 old', '2 old', '3 new', '4 new'],
    { replicas: 5, readyReplicas: 5, currentReplicas: 3, updatedReplicas: 2, updatedReadyReplicas: 2, phase: 'Complete' },
  ],
  [
    'in the end the new revision is the current one',
    {},
    known,
    five('new'),
    { currentReplicas: 5, updatedReplicas: 5, currentRevision: 'new', updateRevision: 'new', phase: 'Complete' },
  ],
  [
    'S3: a new revision does not empty the counters',
    {},
    { updateRevision: 'old', currentRevision: 'old' },
    five('old'),
    { replicas: 5, readyReplicas: 5, currentReplicas: 5, updatedReplicas: 0, updatedReadyReplicas: 0 },
  ],
  [
    'S4: the selector is sorted and complete',
    {
      selector: {
        matchLabels: { b: '2', a: '1' },
        matchExpressions: [{ key: 'aa', operator: 'In', values: ['y', 'x'] }],
      },
    },
    known,
    [],
    { labelSelector: 'a=1,aa in (x,y),b=2', replicas: 0, readyReplicas: 0, currentReplicas: 0 },
  ],
  [
    'S5: surge counts as pods, not as steps',
    {
      ...parallel,
      updateStrategy: { canary: { steps }, rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
    },
    canary(0).status ?? {},
    [...five('old'), '5 new', '6 new'],
    { replicas: 7, updatedReadyReplicas: 2, currentStepIndex: 0, step: '0/3' },
  ],
])('%s', ([, spec, status, pods, expected]) => {
  const set = setOf(spec, status);
  const views = pods.map((each) => podFrom(set, each));
  expect(decide(sightOf(set, views)).status).toMatchObject(expected);
});

test('S8: all three retry flags are honoured and cleared', () => {
  const retry = { hook: { templateName: 'test' }, retry: true };
  const set = setOf(
    {
      ...type('InplaceUpdate'),
      preDeleteUpdateStrategy: retry,
      preInplaceUpdateStrategy: retry,
      postInplaceUpdateStrategy: retry,
    },
    known,
  );
  const runs = [run('pre-inplace', 4, 'Failed')];
  const { acts, spec } = decide(sightOf(set, five('old').map((each) => podFrom(set, each)), { runs }));
  expect(acts.map(told)).toContain('forget pre-inplace-old-4');
  expect(spec).toEqual({
    preDeleteUpdateStrategy: { retry: false },
    preInplaceUpdateStrategy: { retry: false },
    postInplaceUpdateStrategy: { retry: false },
  });
});

test('a name that leaves no room for labels is refused', () => {
  const set = setOf({}, {}, { name: 'w'.repeat(62) });
  const { acts, status } = decide(sightOf(set, []));
  expect(acts).toEqual([]);
  expect(status).toMatchObject({ phase: 'Blocked', message: expect.stringContaining('shorter name') as string });
});

test('a set that is being deleted only lets go of finalizers', () => {
  const set = setOf({ preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } }, {}, {
    deletionTimestamp: '2026-01-05T12:00:00Z',
  });
  const pods = ['0 old', '1 old deleting held'].map((each) => podFrom(set, each));
  expect(decide(sightOf(set, pods)).acts.map(told)).toEqual(['finalizer web-1']);
});
