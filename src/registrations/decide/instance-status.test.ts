import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, type Json, type JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { ConditionStatus } from '#kube/conditions.ts';
import { foldReady, settleConditions } from './conditions.ts';
import { instanceStatus, type StatusGiven } from './instance-status.ts';
import { kuard, kuardSnapshot, kuardKind, registered, environment } from './testing/kuard.ts';

const now = instant(1_700_000_000_000);
const condition = (type: string, status: ConditionStatus) => ({ type, status, reason: 'R', message: '' });

test.for<[readonly ConditionStatus[], ConditionStatus, string]>([
  [[], 'True', 'CONDITIONSOK'],
  [['True', 'True'], 'True', 'CONDITIONSOK'],
  [['False', 'Unknown', 'True'], 'False', 'CONDITIONSNOTOK'],
  [['Unknown', 'False'], 'False', 'CONDITIONSNOTOK'],
  [['True', 'Unknown'], 'Unknown', 'UNKNOWN'],
  [['Unknown', 'True'], 'Unknown', 'UNKNOWN'],
])('%j makes Ready %s', ([truths, status, reason]) => {
  const named = truths.map((each, i) => condition(`C${i}`, each));
  expect(foldReady(named)).toMatchObject({ type: 'Ready', status, reason });
});

const old = (type: string, status: string) => ({
  type,
  status,
  reason: 'old',
  message: 'old',
  lastTransitionTime: '2020-01-01T00:00:00Z',
});

test('the conditions are exactly those that are wanted', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }),
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }),
      (before, wanted) => {
        const settled = settleConditions(
          before.map((each) => old(each, 'True')),
          wanted.map((each) => condition(each, 'True')),
          now,
        );
        expect(settled.map(({ type }) => type)).toEqual([...wanted].sort());
      },
    ),
  );
});

test('the moment of a transition changes with the status only', () => {
  const [same] = settleConditions([old('A', 'True')], [condition('A', 'True')], now);
  expect(same).toEqual({
    type: 'A',
    status: 'True',
    reason: 'R',
    message: '',
    lastTransitionTime: '2020-01-01T00:00:00Z',
  });
  const [other] = settleConditions([old('A', 'False')], [condition('A', 'True')], now);
  expect(other).toMatchObject({ lastTransitionTime: '2023-11-14T22:13:20Z' });
});

const given = (more: Partial<StatusGiven> = {}): StatusGiven => ({
  registration: registered(),
  kind: kuardKind,
  environment,
  instance: kuard(),
  now,
  live: {},
  replies: [],
  isWhole: true,
  hookProblem: undefined,
  problem: undefined,
  values: new Map(),
  ...more,
});
const supporting = (more: Partial<StatusGiven['kind']['supports']>): StatusGiven['kind'] => ({
  ...kuardKind,
  supports: {
    subresource: true,
    observedGeneration: false,
    annotations: false,
    address: false,
    conditions: false,
    ...more,
  },
});

test('without the subresource there is no status, and only what the schema has room for is written', () => {
  expect(
    instanceStatus(given({ kind: supporting({ subresource: false, conditions: true }) })),
  ).toBeUndefined();
  expect(instanceStatus(given({ kind: supporting({}) }))).toBeUndefined();
  expect(instanceStatus(given({ kind: supporting({ observedGeneration: true }) }))).toEqual({
    observedGeneration: 1,
  });
  expect(Object.keys(instanceStatus(given({ kind: supporting({ conditions: true }) })) ?? {})).toEqual([
    'conditions',
  ]);
});

const deployment = (...conditions: readonly JsonObject[]): JsonObject => ({
  status: { readyReplicas: 1, conditions },
});
const available = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'x' };
const stuck = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'ReplicaSet "a" has timed out progressing.',
};
const conditionOf = (status: JsonObject | undefined, type: string): Json | undefined =>
  (at(status, 'conditions') as JsonObject[] | undefined)?.find((each) => each['type'] === type);

test.for<[string, JsonObject | undefined, JsonObject]>([
  ['nothing', undefined, { status: 'Unknown', reason: 'DeploymentUnknown' }],
  ['no condition', deployment(), { status: 'Unknown', reason: 'DeploymentUnknown' }],
  [
    'True',
    deployment({ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'x' }),
    { status: 'True', reason: 'MinimumReplicasAvailable', message: '' },
  ],
  [
    'False',
    deployment({ type: 'Available', status: 'False', reason: 'No', message: 'x' }),
    { status: 'False', reason: 'No', message: 'x' },
  ],
  [
    'a release that passed its deadline, though old pods are available',
    deployment(available, stuck),
    { status: 'False', reason: 'ProgressDeadlineExceeded', message: stuck.message },
  ],
  [
    'a release on its way',
    deployment(available, { ...stuck, status: 'True', reason: 'ReplicaSetUpdated' }),
    { status: 'True' },
  ],
  [
    'no ready pod, though enough are available',
    { spec: { replicas: 2 }, status: { conditions: [available] } },
    { status: 'False', reason: 'NoReadyPods', message: 'none of 2 pods is ready' },
  ],
  [
    'no pod wanted',
    { spec: { replicas: 0 }, status: { conditions: [available] } },
    { status: 'True', reason: 'MinimumReplicasAvailable' },
  ],
  [
    'an odd value',
    deployment({ type: 'Available', status: 'Perhaps', reason: 'No' }),
    { status: 'Unknown', reason: 'DeploymentUnknown' },
  ],
])('DeploymentReady of %s', ([, live, expected]) => {
  const status = instanceStatus(given({ live: live === undefined ? {} : { deployment: live } }));
  expect(conditionOf(status, 'DeploymentReady')).toMatchObject(expected);
});

const knative = registered({ workload: { formFactor: { knativeService: {} } } });
test.for<[string, JsonObject | undefined, JsonObject]>([
  ['nothing', undefined, { status: 'Unknown', reason: 'KNSERVICEUNKOWN' }],
  [
    'True',
    deployment({ type: 'Ready', status: 'True' }),
    { status: 'True', reason: 'KNSERVICEOK', message: '' },
  ],
  [
    'False',
    deployment({ type: 'Ready', status: 'False', reason: 'RevisionMissing', message: 'x' }),
    { status: 'False', reason: 'RevisionMissing', message: 'x' },
  ],
])('KnativeServiceReady of %s', ([, live, expected]) => {
  const status = instanceStatus(
    given({ registration: knative, live: live === undefined ? {} : { ksvc: live } }),
  );
  expect(conditionOf(status, 'KnativeServiceReady')).toMatchObject(expected);
  expect(conditionOf(status, 'ServiceReady')).toBeUndefined();
});

test('the address of a Service of Knative is its own, and an empty one is none', () => {
  const live = (url: string) => ({ ksvc: { status: { address: { url } } } });
  expect(at(instanceStatus(given({ registration: knative, live: live('http://k') })), 'address')).toEqual({
    url: 'http://k',
  });
  expect(at(instanceStatus(given({ registration: knative, live: live('') })), 'address')).toBeUndefined();
});

test('the address has a port unless it is the usual one', () => {
  const service = { metadata: { name: 's', namespace: 'n' }, spec: { ports: [{ port: 8080 }] } };
  expect(at(instanceStatus(given({ live: { service } })), 'address')).toEqual({
    url: 'http://s.n.svc.cluster.local:8080',
  });
});

test('the address of a Service that is not rendered any more is removed; one of others stays', () => {
  const registration = registered({ workload: { formFactor: { deployment: {} } } });
  const withAddress = (url: string) => ({ ...kuard(), status: { address: { url } } });
  const ours = withAddress('http://kuard-my-kuard-extension.default.svc.cluster.local:8080');
  expect(at(instanceStatus(given({ registration, instance: ours })), 'address')).toBeUndefined();
  const theirs = withAddress('http://elsewhere');
  expect(at(instanceStatus(given({ registration, instance: theirs })), 'address')).toEqual({
    url: 'http://elsewhere',
  });
});

test('values of variables are shown, and go with their variables', () => {
  const add = [
    { path: 'status.sinkUri', valueFrom: { path: 'spec.sink' } },
    { path: 'status.deep.er', valueFrom: { path: '$added.POD' } },
  ];
  const registration = registered({ workload: { statusConfiguration: { add } } });
  const values = new Map([
    ['spec.sink', 'http://s'],
    ['$added.POD', ''],
  ]);
  const status = instanceStatus(given({ registration, values }));
  expect(status).toMatchObject({ sinkUri: 'http://s', deep: { er: '' } });
  const instance = { ...kuard(), status: status ?? {} };
  expect(instanceStatus(given({ registration, instance }))).toMatchObject({ deep: {} });
  expect(instanceStatus(given({ registration, instance }))).not.toHaveProperty('sinkUri');
  const unrendered = { ...given({ registration, instance }), values: undefined };
  expect(at(instanceStatus(unrendered) ?? instance.status, 'sinkUri')).toBe('http://s');
});

test('annotations of the hook are merged; what others keep in the status stays', () => {
  const instance = { ...kuard(), status: { annotations: { a: '1', b: '1' }, foreign: { x: 1 } } };
  const replies = [
    { conditions: [], annotations: { b: '2' } },
    { conditions: [], annotations: { c: '3' } },
  ];
  expect(instanceStatus(given({ instance, replies }))).toMatchObject({
    annotations: { a: '1', b: '2', c: '3', 'boathook.dev/hook-annotations': '["b","c"]' },
    foreign: { x: 1 },
  });
});

test('a status that is as it should be is not written', () => {
  const snapshot = kuardSnapshot();
  const first = instanceStatus(given());
  expect(
    instanceStatus(
      given({ instance: { ...snapshot.instance, status: first ?? {} }, now: instant(now + 9_000_000) }),
    ),
  ).toBeUndefined();
});
