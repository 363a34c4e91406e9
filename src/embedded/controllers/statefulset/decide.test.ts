import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { after, noon, podOf, workloadOf, type PodGiven } from '#kube/workload/testing/objects.ts';
import { labelsOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { decideStatefulSet, type StatefulAction, type StatefulDecision } from './decide.ts';
import type { Revision } from './identity.ts';

const setOf = (spec: JsonObject = {}, status: JsonObject = {}): KubeObject =>
  workloadOf(
    'StatefulSet',
    'web',
    {
      replicas: 3,
      serviceName: 'web',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    { status },
  );

const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image }] },
});
const first: Revision = { name: 'web-1', template: template('img:1') };
const second: Revision = { name: 'web-2', template: template('img:2') };

const pod = (ordinal: number, given: PodGiven & { readonly revision?: string } = {}): KubeObject =>
  podOf({
    name: `web-${ordinal}`,
    readyAt: 0,
    labels: {
      app: 'x',
      'controller-revision-hash': given.revision ?? 'web-1',
      'statefulset.kubernetes.io/pod-name': `web-${ordinal}`,
      'apps.kubernetes.io/pod-index': String(ordinal),
    },
    ...given,
  });
const unready = (ordinal: number, given: PodGiven & { readonly revision?: string } = {}): KubeObject => {
  const { readyAt: _never, ...rest } = given;
  const made = pod(ordinal, rest);
  return { ...made, status: { phase: given.phase ?? 'Running', conditions: [] } };
};

const decide = (
  set: KubeObject,
  pods: readonly KubeObject[],
  revisions: { current?: Revision; update?: Revision; claims?: readonly KubeObject[] } = {},
): StatefulDecision =>
  decideStatefulSet(
    {
      set,
      pods,
      current: revisions.current ?? first,
      update: revisions.update ?? first,
      claim: (name) => revisions.claims?.find((each) => nameOf(each) === name),
    },
    noon,
  );

const told = (actions: readonly StatefulAction[]): readonly string[] =>
  actions.map((action) => {
    if (action.type === 'create')
      return `create ${nameOf(action.pod)} ${labelsOf(action.pod)['controller-revision-hash']}`;
    if (action.type === 'delete' || action.type === 'relabel') return `${action.type} ${nameOf(action.pod)}`;
    return action.type === 'update claim' ? `update claim ${nameOf(action.claim)}` : action.type;
  });

const parallel = { podManagementPolicy: 'Parallel' };
const rolling = (partition: number): JsonObject => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
});
const update = { current: first, update: second };

test.for<
  readonly [string, KubeObject, readonly KubeObject[], Parameters<typeof decide>[2], readonly string[]]
>([
  ['the first comes first', setOf(), [], {}, ['create web-0 web-1']],
  ['the next waits for the one before', setOf(), [unready(0)], {}, []],
  ['and comes when it is ready', setOf(), [pod(0)], {}, ['create web-1 web-1']],
  ['nothing happens while one is going', setOf(), [pod(0), pod(1, { isDeleting: true })], {}, []],
  [
    'parallel ones come together',
    setOf(parallel),
    [unready(1)],
    {},
    ['create web-0 web-1', 'create web-2 web-1'],
  ],
  [
    'ordinals may start elsewhere',
    setOf({ ordinals: { start: 5 }, replicas: 1 }),
    [],
    {},
    ['create web-5 web-1'],
  ],
  [
    'a failed pod is deleted and its place filled later',
    setOf(),
    [pod(0, { phase: 'Failed' }), pod(1)],
    {},
    ['delete web-0'],
  ],
  [
    'the highest is deleted first when there are too many',
    setOf({ replicas: 1 }),
    [pod(0), pod(1), pod(2)],
    {},
    ['delete web-2'],
  ],
  [
    'a terminating one is waited for',
    setOf({ replicas: 1 }),
    [pod(0), pod(1), pod(2, { isDeleting: true })],
    {},
    [],
  ],
  ['an unready one holds up the others', setOf({ replicas: 1 }), [pod(0), unready(1), unready(2)], {}, []],
  ['unless it is the sickest itself', setOf({ replicas: 1 }), [pod(0), unready(1)], {}, ['delete web-1']],
  [
    'parallel ones go together',
    setOf({ ...parallel, replicas: 1 }),
    [pod(0), unready(1), pod(2)],
    {},
    ['delete web-2', 'delete web-1'],
  ],
  ['an update begins at the end', setOf(), [pod(0), pod(1), pod(2)], update, ['delete web-2']],
  [
    'and continues when the last is healthy',
    setOf(),
    [pod(0), pod(1), pod(2, { revision: 'web-2' })],
    update,
    ['delete web-1'],
  ],
  ['but not before', setOf(parallel), [pod(0), pod(1), unready(2, { revision: 'web-2' })], update, []],
  [
    'a place above the partition is filled with the new template',
    setOf(rolling(1)),
    [pod(0)],
    update,
    ['create web-1 web-2'],
  ],
  ['one below with the old', setOf(rolling(1)), [], update, ['create web-0 web-1']],
  [
    'the partition stops an update',
    setOf(rolling(2)),
    [pod(0), pod(1), pod(2, { revision: 'web-2' })],
    update,
    [],
  ],
  [
    'on delete nothing is replaced',
    setOf({ updateStrategy: { type: 'OnDelete' } }),
    [pod(0), pod(1), pod(2)],
    update,
    [],
  ],
  [
    'and what is missing is new',
    setOf({ updateStrategy: { type: 'OnDelete' } }),
    [pod(0), pod(1)],
    update,
    ['create web-2 web-2'],
  ],
  [
    'a lost label comes back',
    setOf({ replicas: 1 }),
    [podOf({ name: 'web-0', readyAt: 0, labels: { app: 'x', 'controller-revision-hash': 'web-1' } })],
    {},
    ['relabel web-0'],
  ],
  [
    'a set on its way out does nothing',
    withMeta(setOf(), { deletionTimestamp: '2026-01-05T12:00:00Z' }),
    [],
    {},
    [],
  ],
])('%s', ([, set, pods, revisions, expected]) => {
  expect(told(decide(set, pods, revisions).actions)).toEqual(expected);
});

test('a pod has its name, its place in the network and its claims', () => {
  const claimed = setOf({
    volumeClaimTemplates: [
      { metadata: { name: 'data', labels: { tier: 'db' } }, spec: { accessModes: ['ReadWriteOnce'] } },
    ],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
  });
  const [action] = decide(claimed, []).actions;
  if (action?.type !== 'create') throw new Error('a pod was expected');
  expect(action.pod).toMatchObject({
    metadata: {
      name: 'web-0',
      labels: {
        app: 'x',
        'statefulset.kubernetes.io/pod-name': 'web-0',
        'apps.kubernetes.io/pod-index': '0',
        'controller-revision-hash': 'web-1',
      },
    },
    spec: {
      hostname: 'web-0',
      subdomain: 'web',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }],
    },
  });
  expect(objectAt(action.pod, 'metadata')).not.toHaveProperty('generateName');
  expect(action.claims).toMatchObject([
    {
      metadata: {
        name: 'data-web-0',
        labels: { app: 'x', tier: 'db' },
        ownerReferences: [{ kind: 'StatefulSet', name: 'web' }],
      },
      spec: { accessModes: ['ReadWriteOnce'] },
    },
  ]);
});

const claimOf = (name: string, more: JsonObject = {}): KubeObject => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, ...more },
});

test('owners of claims follow the retention policy', () => {
  const policy = (whenScaled: string, whenDeleted: string): KubeObject =>
    setOf({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: 'data' } }],
      persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted },
    });
  const claims = [claimOf('data-web-0'), claimOf('data-web-1')];
  const owners = (set: KubeObject): readonly (string | undefined)[] =>
    decide(set, [pod(0), pod(1)], { claims }).actions.flatMap((action) =>
      action.type === 'update claim'
        ? listAt(action.claim, 'metadata', 'ownerReferences').map(
            (each) => `${nameOf(action.claim)} ${textAt(each, 'kind')}`,
          )
        : [],
    );
  expect(owners(policy('Retain', 'Retain'))).toEqual([]);
  expect(owners(policy('Delete', 'Retain'))).toEqual(['data-web-1 Pod']);
  expect(owners(policy('Retain', 'Delete'))).toEqual(['data-web-0 StatefulSet', 'data-web-1 StatefulSet']);
  expect(owners(policy('Delete', 'Delete'))).toEqual(['data-web-0 StatefulSet', 'data-web-1 Pod']);
});

test('a claim with another controller gets no second one, and loses an owner of ours', () => {
  const set = setOf({
    replicas: 1,
    volumeClaimTemplates: [{ metadata: { name: 'data' } }],
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
  });
  const other = { apiVersion: 'example.com/v1', kind: 'Backup', name: 'b', uid: 'b', controller: true };
  const ours = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'web', controller: false };
  const actions = (ownerReferences: readonly JsonObject[]): readonly StatefulAction[] =>
    decide(set, [pod(0)], { claims: [claimOf('data-web-0', { ownerReferences })] }).actions;
  expect(told(actions([other]))).toEqual(['report']);
  expect(told(actions([{ ...other, controller: false }]))).toEqual(['update claim data-web-0']);
  expect(actions([other, ours])).toMatchObject([
    { type: 'report', note: { reason: 'ConflictingController' } },
    { type: 'update claim', claim: { metadata: { ownerReferences: [other] } } },
  ]);
});

test('a pod waits until the old claim of its place is gone', () => {
  const set = setOf({ volumeClaimTemplates: [{ metadata: { name: 'data' } }] });
  const going = claimOf('data-web-0', { deletionTimestamp: '2026-01-05T12:00:00Z' });
  expect(decide(set, [], { claims: [going] }).actions).toEqual([]);
});

test('a status counts by revision, and the update revision becomes current in the end', () => {
  const half = decide(setOf(), [pod(0), unready(1), pod(2, { revision: 'web-2' })], update).status;
  expect(half).toEqual({
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 2,
    currentReplicas: 2,
    updatedReplicas: 1,
    currentRevision: 'web-1',
    updateRevision: 'web-2',
    collisionCount: 0,
    availableReplicas: 2,
  });
  const all = [0, 1, 2].map((ordinal) => pod(ordinal, { revision: 'web-2' }));
  expect(decide(setOf(), all, update).status).toMatchObject({
    currentReplicas: 3,
    updatedReplicas: 3,
    currentRevision: 'web-2',
  });
});

test('readiness must last before the next comes', () => {
  const set = setOf({ minReadySeconds: 30 });
  const { actions, wakeAt } = decide(set, [pod(0, { readyAt: -10 })]);
  expect(actions).toEqual([]);
  expect(wakeAt).toBe(after(20));
  expect(told(decide(set, [pod(0, { readyAt: -30 })]).actions)).toEqual(['create web-1 web-1']);
});

const state = fc.constantFrom('ready', 'unready', 'failed', 'going', 'absent');

test('whatever is there: no ordinal comes twice, and an ordered set changes one pod at a time', () => {
  const property = fc.property(
    fc.array(fc.record({ state, revision: fc.constantFrom('web-1', 'web-2') }), { maxLength: 8 }),
    fc.record({ replicas: fc.nat(8), start: fc.nat(3), partition: fc.nat(4) }),
    fc.boolean(),
    (given, { replicas, start, partition }, isOrdered) => {
      const pods = given.flatMap(({ state: how, revision }, ordinal) => {
        if (how === 'absent') return [];
        if (how === 'unready') return [unready(ordinal, { revision })];
        if (how === 'failed') return [pod(ordinal, { revision, phase: 'Failed' })];
        return [pod(ordinal, { revision, isDeleting: how === 'going' })];
      });
      const set = setOf({
        replicas,
        ordinals: { start },
        ...rolling(partition),
        ...(isOrdered ? {} : parallel),
      });
      const { actions } = decide(set, pods, update);
      const there = new Set(pods.map(nameOf));
      const made = actions.filter((action) => action.type === 'create').map(({ pod: each }) => nameOf(each));
      const lost = actions.filter((action) => action.type === 'delete').map(({ pod: each }) => nameOf(each));
      expect(new Set(made).size).toBe(made.length);
      expect(new Set(lost).size).toBe(lost.length);
      for (const name of made) expect(there.has(name)).toBe(false);
      for (const { pod: each } of actions.filter((action) => action.type === 'delete'))
        expect(factsOf(each).isDeleting).toBe(false);
      if (isOrdered) expect(made.length + lost.length).toBeLessThanOrEqual(1);
    },
  );
  fc.assert(property, { numRuns: 1000 });
});
