import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { seededRandom } from '#base/random.ts';
import { admitPriority, keepPriority } from './admission-priority.ts';
import { admitServiceAccount } from './admission-service-account.ts';
import { defaultTolerations } from './admission-tolerations.ts';
import { specOf } from '#base/json-edit.ts';
import { container } from './testing/check.ts';

const pod = (spec: JsonObject = {}): JsonObject => ({
  metadata: {},
  spec: { containers: [container], ...spec },
});
const random = seededRandom(1);

test('a pod runs as default and finds its token', () => {
  const spec = specOf(admitServiceAccount(pod({ initContainers: [container] }), { random }));
  const volume = (spec['volumes'] as readonly JsonObject[])[0] ?? {};
  expect(volume['name']).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(volume['projected']).toEqual({
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  });
  const mount = {
    name: volume['name'],
    readOnly: true,
    mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  };
  expect(spec).toMatchObject({
    serviceAccountName: 'default',
    serviceAccount: 'default',
    containers: [{ volumeMounts: [mount] }],
    initContainers: [{ volumeMounts: [mount] }],
  });
});

test.for<readonly [what: string, spec: JsonObject, account: JsonObject | undefined, mounts: boolean]>([
  ['by default', {}, undefined, true],
  ['not when the pod disables it', { automountServiceAccountToken: false }, undefined, false],
  ['not when the account disables it', {}, { automountServiceAccountToken: false }, false],
  [
    'when the pod overrules the account',
    { automountServiceAccountToken: true },
    { automountServiceAccountToken: false },
    true,
  ],
])('the token is mounted %s', ([, spec, account, mounts]) => {
  const admitted = admitServiceAccount(pod(spec), { random, account });
  expect(specOf(admitted)['volumes'] !== undefined).toBe(mounts);
});

test('pull secrets come from the account unless the pod has its own', () => {
  const account = { imagePullSecrets: [{ name: 's' }] };
  expect(specOf(admitServiceAccount(pod(), { random, account }))['imagePullSecrets']).toEqual([
    { name: 's' },
  ]);
  const own = pod({ imagePullSecrets: [{ name: 'o' }] });
  expect(specOf(admitServiceAccount(own, { random, account }))['imagePullSecrets']).toEqual([{ name: 'o' }]);
});

test('mirror pods and already admitted pods stay as they are', () => {
  const mirror = { ...pod(), metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } };
  expect(admitServiceAccount(mirror, { random })).toBe(mirror);
  const once = admitServiceAccount(pod(), { random });
  expect(admitServiceAccount(once, { random })).toEqual(once);
});

const five = (key: string): JsonObject => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

test('five minutes of patience', () => {
  const both = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
  expect(specOf(defaultTolerations(pod()))['tolerations']).toEqual(both.map(five));
  const own = { key: both[0] ?? '', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
  const admitted = defaultTolerations(pod({ tolerations: [own] }));
  expect(specOf(admitted)['tolerations']).toEqual([own, five(both[1] ?? '')]);
  const all = pod({ tolerations: [{ operator: 'Exists' }] });
  expect(defaultTolerations(all)).toBe(all);
});

const gold: JsonObject = { metadata: { name: 'gold' }, value: 7, preemptionPolicy: 'Never' };
const classes = { byName: (name: string) => (name === 'gold' ? gold : undefined), globalDefault: undefined };
const priorityOf = (spec: JsonObject, globalDefault?: JsonObject): JsonObject | string => {
  const verdict = admitPriority(pod(spec), { ...classes, globalDefault });
  return verdict.type === 'refused' ? verdict.why : specOf(verdict.pod);
};

test.for<readonly [spec: JsonObject, expected: JsonObject]>([
  [{}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  [{ priorityClassName: 'gold' }, { priorityClassName: 'gold', priority: 7, preemptionPolicy: 'Never' }],
])('the priority of %j', ([spec, expected]) => {
  expect(priorityOf(spec)).toMatchObject(expected);
});

test('the default class is taken by name', () => {
  expect(priorityOf({}, gold)).toMatchObject({ priorityClassName: 'gold', priority: 7 });
});

test.for<readonly [spec: JsonObject, why: string]>([
  [{ priorityClassName: 'x' }, 'no PriorityClass with name x was found'],
  [
    { priority: 3 },
    'the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  [
    { preemptionPolicy: 'Never' },
    'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
  ],
])('priority %j is refused', ([spec, why]) => {
  expect(priorityOf(spec)).toBe(why);
});

test('an update keeps what admission computed', () => {
  const old = pod({ priority: 7, preemptionPolicy: 'Never' });
  expect(keepPriority(pod(), old)).toEqual(old);
});
