import { expect, test } from 'vitest';
import { at, listAt } from '#base/json.ts';
import { snapshotFromCase } from '#releases/decide/testing/cases/case-snapshot.ts';
import { annotationsOf, labelsOf, nameOf } from '#kube/object.ts';
import { newPods, type NewPods } from './new-pods.ts';

const on = 'tkex.bkbcs.tencent.com/gamedeployment-index-on';
const range = 'tkex.bkbcs.tencent.com/gamedeployment-index-range';
const id = 'tkex.bkbcs.tencent.com/gamedeployment-index-id';

type Change = {
  readonly spec?: Readonly<Record<string, never>> | object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly held?: readonly string[];
};

function make({ spec = {}, annotations = {}, held = [] }: Change, ids: readonly string[]): NewPods {
  const { snapshot, spec: whole } = snapshotFromCase({
    spec: { replicas: 3, ...spec },
    metadata: { annotations },
    pods: held.map((index, at) => ({ pod: `h${at} new deleting`, annotations: { [id]: index } })),
  });
  return newPods({
    workload: snapshot.workload,
    spec: whole,
    revision: snapshot.updateRevision,
    ids,
    pods: snapshot.pods,
  });
}

const podsOf = (made: NewPods) => (made.type === 'pods' ? made.pods : []);

test('a pod has the name, labels, owner and gate of its workload', () => {
  const [pod = {}] = podsOf(make({}, ['bcd4f']));
  expect(nameOf(pod)).toBe('gd-bcd4f');
  expect(labelsOf(pod)).toEqual({
    app: 'x',
    'tkex.bkbcs.tencent.com/gamedeployment-instance-id': 'bcd4f',
    'controller-revision-hash': 'new',
  });
  expect(listAt(pod, 'spec', 'readinessGates')).toEqual([{ conditionType: 'InPlaceUpdateReady' }]);
  expect(listAt(pod, 'metadata', 'ownerReferences')).toMatchObject([
    { kind: 'GameDeployment', controller: true },
  ]);
  expect(at(pod, 'metadata', 'finalizers')).toBeUndefined();
});

test('a gate can be left out', () => {
  const [pod = {}] = podsOf(make({ spec: { disableReadinessGate: true } }, ['b']));
  expect(at(pod, 'spec', 'readinessGates')).toBeUndefined();
});

test('an enforced hook is on the pod from its first moment', () => {
  const spec = { preDeleteUpdateStrategy: { enforce: 'Always', hook: { templateName: 'check' } } };
  const [pod = {}] = podsOf(make({ spec }, ['b']));
  expect(listAt(pod, 'metadata', 'finalizers')).toEqual(['boathook.dev/pre-delete-hook']);
});

const numbered = { [on]: 'true', [range]: '{"podStartIndex":100,"podEndIndex":104}' };

test('numbers are the smallest that are free; terminating pods hold theirs', () => {
  const pods = podsOf(make({ annotations: numbered, held: ['100', '102'] }, ['b', 'c']));
  expect(pods.map((pod) => annotationsOf(pod)[id])).toEqual(['101', '103']);
  expect(at(listAt(pods[0], 'spec', 'containers')[0], 'env')).toEqual([{ name: 'POD_INDEX', value: '101' }]);
});

test('when numbers run out fewer pods are made', () => {
  expect(podsOf(make({ annotations: numbered, held: ['100', '101', '102'] }, ['b', 'c']))).toHaveLength(1);
});

test.for([
  ['no range', { [on]: 'true' }, 'has no range'],
  ['nonsense', { [on]: 'true', [range]: '{' }, 'has no range'],
  ['backwards', { [on]: 'true', [range]: '{"podStartIndex":5,"podEndIndex":5}' }, 'has no range'],
  ['too small', { [on]: 'true', [range]: '{"podStartIndex":1,"podEndIndex":3}' }, '2 numbers for 3 replicas'],
] as const)('%s is refused with a word', ([, annotations, message]) => {
  const made = make({ annotations }, ['b']);
  expect(made.type === 'refused' ? made.message : '').toContain(message);
});
