import { expect, test } from 'vitest';
import { listAt } from '#base/json.ts';
import { nameOf, withMeta } from '#kube/object.ts';
import { after, noon, podOf, workloadOf } from '#kube/workload/testing/objects.ts';
import { decideReplicaSet, replicaSetStatus } from './decide.ts';

const set = workloadOf('ReplicaSet', 'rs', { replicas: 3, minReadySeconds: 10 });
const some = (count: number): readonly ReturnType<typeof podOf>[] =>
  Array.from({ length: count }, (_, at) => podOf({ name: `p${at}`, owner: set, readyAt: 0 }));

test.for([
  ['too few', 1, 2, 0],
  ['enough', 3, 0, 0],
  ['too many', 5, 0, 2],
  ['far too few', 0, 3, 0],
] as const)('%s', ([, have, create, remove]) => {
  const active = some(have);
  const decision = decideReplicaSet({ set, active, family: () => active }, noon);
  expect(decision.create).toBe(create);
  expect(decision.remove).toHaveLength(remove);
});

test('no more than five hundred at once', () => {
  const large = workloadOf('ReplicaSet', 'rs', { replicas: 2000 });
  expect(decideReplicaSet({ set: large, active: [], family: () => [] }, noon).create).toBe(500);
});

test('a set on its way out does nothing', () => {
  const going = withMeta(set, { deletionTimestamp: '2026-01-05T12:00:00Z' });
  expect(decideReplicaSet({ set: going, active: some(1), family: () => [] }, noon)).toMatchObject({
    create: 0,
    remove: [],
  });
});

test('unready pods go first', () => {
  const active = [...some(3), podOf({ name: 'unready', owner: set })];
  const { remove } = decideReplicaSet({ set, active, family: () => active }, noon);
  expect(remove.map(nameOf)).toEqual(['unready']);
});

test('availability comes after the time of readiness, and is looked at then', () => {
  const active = [
    podOf({ readyAt: 0, owner: set }),
    podOf({ readyAt: 5, owner: set }),
    podOf({ owner: set }),
  ];
  const status = replicaSetStatus(set, active, undefined, after(12));
  expect(status).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 2,
    availableReplicas: 1,
    observedGeneration: 1,
  });
  expect(decideReplicaSet({ set, active, family: () => active }, after(12)).wakeAt).toBe(after(15));
});

test('a failure becomes a condition and is removed with its cause', () => {
  const failed = replicaSetStatus(set, [], { reason: 'FailedCreate', message: 'no' }, noon);
  const condition = {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: '2026-01-05T12:00:00Z',
    reason: 'FailedCreate',
    message: 'no',
  };
  expect(listAt(failed, 'conditions')).toEqual([condition]);
  const later = replicaSetStatus(
    { ...set, status: failed },
    [],
    { reason: 'FailedCreate', message: 'no' },
    after(5),
  );
  expect(listAt(later, 'conditions')).toEqual([condition]);
  expect(replicaSetStatus({ ...set, status: failed }, [], undefined, noon)['conditions']).toBeUndefined();
});
