import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { claimTrouble } from './claims.ts';

const pod = (...claims: readonly string[]): KubeObject => ({
  metadata: { namespace: 'a' },
  spec: {
    volumes: [
      { name: 'scratch', emptyDir: {} },
      ...claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    ],
  },
});
const claim = (spec: JsonObject, status: JsonObject = {}, meta: JsonObject = {}): KubeObject => ({
  metadata: meta,
  spec,
  status,
});
const claims: Readonly<Record<string, KubeObject>> = {
  bound: claim({ volumeName: 'v', storageClassName: 'soon' }),
  soon: claim({ storageClassName: 'soon' }),
  late: claim({ storageClassName: 'late' }),
  classless: claim({}),
  unclassed: claim({ storageClassName: 'nowhere' }),
  leaving: claim({ volumeName: 'v' }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  lost: claim({ volumeName: 'v' }, { phase: 'Lost' }),
};
const classes: Readonly<Record<string, KubeObject>> = {
  soon: { volumeBindingMode: 'Immediate' },
  late: { volumeBindingMode: 'WaitForFirstConsumer' },
};
const sight = {
  claim: (namespace: string, name: string) => (namespace === 'a' ? claims[name] : undefined),
  storageClass: (name: string) => classes[name],
};
const unbound = 'pod has unbound immediate PersistentVolumeClaims';

test.for([
  ['no claims', pod(), undefined],
  ['a claim that is bound', pod('bound'), undefined],
  ['a claim that waits for its pod', pod('late'), undefined],
  ['a claim that does not exist', pod('soon', 'nowhere'), 'persistentvolumeclaim "nowhere" not found'],
  ['a claim that is to be bound first', pod('late', 'soon'), unbound],
  ['a claim without a class', pod('classless'), unbound],
  ['a claim whose class does not exist', pod('unclassed'), unbound],
  ['a claim that goes', pod('leaving'), 'persistentvolumeclaim "leaving" is being deleted'],
  [
    'a claim whose volume is lost',
    pod('lost'),
    'persistentvolumeclaim "lost" bound to non-existent persistentvolume "v"',
  ],
] as const)('a pod with %s', ([, given, trouble]) => {
  expect(claimTrouble(given, sight)).toBe(trouble);
});
