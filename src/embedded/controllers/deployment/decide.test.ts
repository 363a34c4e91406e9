import { expect, test } from 'vitest';
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { annotationsOf, nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { after, noon, workloadOf } from '#kube/workload/testing/objects.ts';
import { decideDeployment, type DeploymentAction, type DeploymentDecision } from './decide.ts';

const rolling = (maxSurge: number | string, maxUnavailable: number | string): JsonObject => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});
const base = {
  replicas: 10,
  strategy: rolling(3, 2),
  progressDeadlineSeconds: 600,
  revisionHistoryLimit: 10,
};

const deploymentOf = (spec: JsonObject = {}, more: Parameters<typeof workloadOf>[3] = {}): KubeObject =>
  workloadOf('Deployment', 'd', { ...base, ...spec }, more);

/** The replica set that a deployment made for one of its images, with the counts it reports. */
function setOf(
  deployment: KubeObject,
  counts: { replicas: number; actual?: number; available?: number; revision?: number; age?: number },
): KubeObject {
  const { actions } = decideDeployment(
    { deployment: { ...deployment, status: {} }, sets: [], isRunning: () => false },
    noon,
  );
  const made = actions.find((action) => action.type === 'create')?.set ?? {};
  const actual = counts.actual ?? counts.replicas;
  const available = counts.available ?? actual;
  return {
    ...withMeta(made, {
      uid: `uid-${nameOf(made)}`,
      generation: 1,
      creationTimestamp: `2026-01-0${counts.age ?? 1}T00:00:00Z`,
      annotations: {
        ...annotationsOf(made),
        'deployment.kubernetes.io/revision': String(counts.revision ?? 1),
      },
    }),
    spec: { ...objectAt(made, 'spec'), replicas: counts.replicas },
    status: {
      replicas: actual,
      readyReplicas: available,
      availableReplicas: available,
      observedGeneration: 1,
    },
  };
}

const old = deploymentOf({}, { image: 'img:0' });
const older = deploymentOf({}, { image: 'img:older' });

const decide = (
  deployment: KubeObject,
  sets: readonly KubeObject[],
  now: Instant = noon,
): DeploymentDecision => decideDeployment({ deployment, sets, isRunning: () => false }, now);

const sizes = (actions: readonly DeploymentAction[]): readonly string[] =>
  actions.map((action) => {
    const image = textAt(listAt(action.set, 'spec', 'template', 'spec', 'containers')[0], 'image');
    return `${action.type} ${image} ${numberAt(action.set, 'spec', 'replicas')}`;
  });

const conditions = ({ status }: DeploymentDecision): readonly string[] =>
  listAt(status, 'conditions').map(
    (each) =>
      `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}: ${textAt(each, 'message')}`,
  );

test('the first replica set has the whole size, revision 1 and the annotations of its deployment', () => {
  const deployment = deploymentOf(
    {},
    { metadata: { annotations: { team: 'a', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } },
  );
  const { actions, revision, status } = decide(deployment, []);
  const [action] = actions;
  const set = action?.set ?? {};
  expect(sizes(actions)).toEqual(['create img:1 10']);
  expect(action).toMatchObject({
    note: {
      type: 'Normal',
      reason: 'ScalingReplicaSet',
      message: `Scaled up replica set ${nameOf(set)} from 0 to 10`,
    },
  });
  expect(annotationsOf(set)).toEqual({
    team: 'a',
    'deployment.kubernetes.io/revision': '1',
    'deployment.kubernetes.io/desired-replicas': '10',
    'deployment.kubernetes.io/max-replicas': '13',
  });
  const hash = nameOf(set).slice(2);
  expect(hash).toMatch(/^[bcdf456789]{6,10}$/);
  expect(objectAt(set, 'spec', 'selector')).toEqual({ matchLabels: { app: 'x', 'pod-template-hash': hash } });
  expect(revision).toBe('1');
  expect(status).toMatchObject({ observedGeneration: 1, unavailableReplicas: 10 });
});

test.for<readonly [string, KubeObject, readonly KubeObject[], readonly string[]]>([
  [
    'a new template surges first and loses old pods within what may be missing',
    deploymentOf(),
    [setOf(old, { replicas: 10 })],
    ['create img:1 3', 'update img:0 8'],
  ],
  [
    'room is used only when it is really free: a shrinking set still has its pods',
    deploymentOf(),
    [
      setOf(old, { replicas: 8, actual: 10 }),
      setOf(deploymentOf(), { replicas: 3, available: 0, revision: 2 }),
    ],
    [],
  ],
  [
    'freed replicas are given to the new set',
    deploymentOf(),
    [setOf(old, { replicas: 8 }), setOf(deploymentOf(), { replicas: 3, available: 0, revision: 2 })],
    ['update img:1 5'],
  ],
  [
    'old pods go as new ones become available',
    deploymentOf(),
    [setOf(old, { replicas: 8 }), setOf(deploymentOf(), { replicas: 5, available: 4, revision: 2 })],
    ['update img:0 4'],
  ],
  [
    'unhealthy old pods go before healthy ones are counted',
    deploymentOf(),
    [
      setOf(old, { replicas: 10, available: 6 }),
      setOf(deploymentOf(), { replicas: 3, available: 0, revision: 2 }),
    ],
    ['update img:0 8'],
  ],
  [
    'the oldest set loses first',
    deploymentOf(),
    [
      setOf(old, { replicas: 4, revision: 2, age: 2 }),
      setOf(older, { replicas: 4, age: 1 }),
      setOf(deploymentOf(), { replicas: 5, available: 3, revision: 3, age: 3 }),
    ],
    ['update img:older 1'],
  ],
  [
    'a larger current set shrinks to size',
    deploymentOf(),
    [setOf(deploymentOf(), { replicas: 12, revision: 1 })],
    ['update img:1 10'],
  ],
  [
    'without surge the old pods make room first',
    deploymentOf({ strategy: rolling(0, 2) }),
    [setOf(deploymentOf({ strategy: rolling(0, 2) }, { image: 'img:0' }), { replicas: 10 })],
    ['create img:1 0', 'update img:0 8'],
  ],
  [
    'percentages: surge is rounded up, missing pods down',
    deploymentOf({ replicas: 5, strategy: rolling('25%', '25%') }),
    [
      setOf(deploymentOf({ replicas: 5, strategy: rolling('25%', '25%') }, { image: 'img:0' }), {
        replicas: 5,
      }),
    ],
    ['create img:1 2', 'update img:0 4'],
  ],
])('rolling: %s', ([, deployment, sets, expected]) => {
  expect(sizes(decide(deployment, sets).actions)).toEqual(expected);
});

test('a rollback to an earlier template renumbers its set and keeps the history', () => {
  const first = setOf(deploymentOf(), { replicas: 0, revision: 1 });
  const second = setOf(old, { replicas: 10, revision: 2, age: 2 });
  const { actions, revision } = decide(deploymentOf(), [first, second]);
  expect(revision).toBe('3');
  expect(annotationsOf(actions[0]?.set ?? {})).toMatchObject({
    'deployment.kubernetes.io/revision': '3',
    'deployment.kubernetes.io/revision-history': '1',
  });
  expect(sizes(actions)).toEqual(['update img:1 3']);
});

const recreate = { strategy: { type: 'Recreate' } };

test.for<readonly [string, readonly KubeObject[], boolean, readonly string[]]>([
  [
    'old pods are deleted first',
    [setOf(deploymentOf(recreate, { image: 'img:0' }), { replicas: 10 })],
    false,
    ['update img:0 0'],
  ],
  [
    'while one is there nothing comes',
    [setOf(deploymentOf(recreate, { image: 'img:0' }), { replicas: 0, actual: 1 })],
    false,
    [],
  ],
  [
    'nor while one is still running',
    [setOf(deploymentOf(recreate, { image: 'img:0' }), { replicas: 0 })],
    true,
    [],
  ],
  [
    'then all come at once',
    [setOf(deploymentOf(recreate, { image: 'img:0' }), { replicas: 0 })],
    false,
    ['create img:1 10'],
  ],
])('recreate: %s', ([, sets, isRunning, expected]) => {
  const snapshot = { deployment: deploymentOf(recreate), sets, isRunning: () => isRunning };
  expect(sizes(decideDeployment(snapshot, noon).actions)).toEqual(expected);
});

test.for<readonly [string, number, readonly KubeObject[], readonly string[]]>([
  ['one set takes it all', 20, [setOf(deploymentOf(), { replicas: 10 })], ['update img:1 20']],
  [
    'several sets share it in proportion, the largest takes the rest',
    20,
    [
      setOf(old, { replicas: 8, age: 1 }),
      setOf(deploymentOf(), { replicas: 5, available: 0, revision: 2, age: 2 }),
    ],
    ['update img:0 14', 'update img:1 9'],
  ],
  [
    'and give it back in proportion',
    5,
    [
      setOf(old, { replicas: 8, age: 1 }),
      setOf(deploymentOf(), { replicas: 5, available: 0, revision: 2, age: 2 }),
    ],
    ['update img:0 5', 'update img:1 3'],
  ],
  [
    'to nothing',
    0,
    [setOf(old, { replicas: 8 }), setOf(deploymentOf(), { replicas: 5, revision: 2 })],
    ['update img:1 0', 'update img:0 0'],
  ],
])('scaling: %s', ([, replicas, sets, expected]) => {
  expect(sizes(decide(deploymentOf({ replicas }), sets).actions).toSorted()).toEqual(expected.toSorted());
});

test('a paused deployment is scaled and not rolled', () => {
  const paused = deploymentOf({ paused: true, replicas: 12 });
  const decision = decide(paused, [setOf(old, { replicas: 10 })]);
  expect(sizes(decision.actions)).toEqual(['update img:0 12']);
  expect(conditions(decision)).toContain('Progressing Unknown DeploymentPaused: Deployment is paused');
  const resumed = decide(deploymentOf({}, { status: decision.status }), [setOf(old, { replicas: 10 })]);
  expect(sizes(resumed.actions)).toEqual(['create img:1 3', 'update img:0 8']);
});

test('old sets beyond the limit go when the rollout is complete, never one with pods', () => {
  const status = { observedGeneration: 1, replicas: 10, updatedReplicas: 10, availableReplicas: 10 };
  const deployment = deploymentOf({ revisionHistoryLimit: 0 }, { status });
  const current = setOf(deployment, { replicas: 10, revision: 3, age: 3 });
  const sets = [setOf(old, { replicas: 0, revision: 2 }), setOf(older, { replicas: 0, actual: 1 }), current];
  expect(sizes(decide(deployment, sets).actions)).toEqual(['delete img:0 0']);
});

test('conditions of a rollout from beginning to end', () => {
  const deployment = deploymentOf({ replicas: 1, strategy: rolling(1, 0) });
  const begun = decide(deployment, []);
  const name = nameOf(begun.actions[0]?.set ?? {});
  expect(conditions(begun)).toEqual([
    `Progressing True NewReplicaSetCreated: Created new replica set "${name}"`,
    'Available False MinimumReplicasUnavailable: Deployment does not have minimum availability.',
  ]);
  expect(begun.wakeAt).toBe(after(601));

  const seen = { ...deployment, status: begun.status };
  const running = decide(seen, [setOf(deployment, { replicas: 1, available: 0 })], after(10));
  expect(conditions(running)[1]).toBe(
    `Progressing True ReplicaSetUpdated: ReplicaSet "${name}" is progressing.`,
  );
  expect(running.wakeAt).toBe(after(611));

  const stuck = decide(
    { ...deployment, status: running.status },
    [setOf(deployment, { replicas: 1, available: 0 })],
    after(612),
  );
  expect(conditions(stuck)[1]).toBe(
    `Progressing False ProgressDeadlineExceeded: ReplicaSet "${name}" has timed out progressing.`,
  );
  expect(stuck.wakeAt).toBeUndefined();

  const complete = decide(
    { ...deployment, status: stuck.status },
    [setOf(deployment, { replicas: 1 })],
    after(700),
  );
  expect(conditions(complete)).toEqual([
    'Available True MinimumReplicasAvailable: Deployment has minimum availability.',
    `Progressing True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`,
  ]);
  expect(complete.wakeAt).toBeUndefined();
  const again = decide(
    { ...deployment, status: complete.status },
    [setOf(deployment, { replicas: 1 })],
    after(900),
  );
  expect(again.status).toEqual(complete.status);
  expect(again.actions).toEqual([]);
});

test('a failure of a replica set is the deployment’s too', () => {
  const set = setOf(deploymentOf(), { replicas: 10, available: 0 });
  const failing = {
    ...set,
    status: {
      ...objectAt(set, 'status'),
      conditions: [
        {
          type: 'ReplicaFailure',
          status: 'True',
          reason: 'FailedCreate',
          message: 'quota',
          lastTransitionTime: '2026-01-05T12:00:00Z',
        },
      ],
    },
  };
  expect(conditions(decide(deploymentOf(), [failing]))).toContain('ReplicaFailure True FailedCreate: quota');
});

test('a collision count gives another name', () => {
  const named = (status: JsonObject): string =>
    nameOf(decide(deploymentOf({}, { status }), []).actions[0]?.set ?? {});
  expect(named({})).not.toBe(named({ collisionCount: 1 }));
});

test('a deployment on its way out is only counted', () => {
  const going = deploymentOf({}, { metadata: { deletionTimestamp: '2026-01-05T12:00:00Z' } });
  const decision = decide(going, [setOf(old, { replicas: 10 })]);
  expect(decision.actions).toEqual([]);
  expect(decision.status).toMatchObject({ replicas: 10, availableReplicas: 10 });
});
