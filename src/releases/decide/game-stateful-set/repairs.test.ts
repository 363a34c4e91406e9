import { expect, test } from 'vitest';
import { decide, parallel, podFrom, setOf, snapshotOf } from './testing/objects.ts';
import { found, wanted, claimed, known, type, type Row } from './testing/rows.ts';

const repairs: readonly Row[] = [
  {
    name: 'a lost label comes back',
    spec: { replicas: 1 },
    pods: ['0 new unlabelled'],
    actions: ['label web-0'],
  },
  {
    name: 'a pod without its volumes is replaced',
    spec: { ...claimed, ...parallel, replicas: 2, ...type('InplaceUpdate') },
    pods: ['0 new', '1 new volumeless'],
    status: known,
    actions: ['delete web-1'],
  },
  {
    name: 'a new pod gets its gate, paused or not',
    spec: { replicas: 1, updateStrategy: { paused: true } },
    pods: ['0 new unready ungated'],
    status: known,
    actions: ['open web-0'],
    reason: 'PausedByUser',
  },
  {
    name: 'a hook that is enforced needs a finalizer',
    spec: { replicas: 1, preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } },
    pods: ['0 new'],
    actions: ['finalizer web-0'],
  },
  {
    name: 'and is asked, whoever deletes the pod',
    spec: { replicas: 1, preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } },
    pods: ['0 new deleting held'],
    actions: ['ask predelete-new-0-test'],
    reason: 'WaitingForPodHook',
  },
];

test.for(repairs)('$name', (row) => expect(found(row)).toEqual(wanted(row)));

test('a pending pod gets the claims it lacks', () => {
  const set = setOf({ ...claimed, replicas: 1 });
  const { actions } = decide(snapshotOf(set, [podFrom(set, '0 new pending')]));
  expect(actions).toMatchObject([
    { type: 'create-claim', claim: { metadata: { name: 'data-web-0', labels: { app: 'x' } } } },
  ]);
});

test('a pod has its name, its place in the network, its claims, its gate and its finalizer', () => {
  const enforced = { preDeleteUpdateStrategy: { hook: { templateName: 'test' }, enforce: 'Always' } };
  const [action] = decide(snapshotOf(setOf({ ...claimed, ...enforced }), [])).actions;
  expect(action).toMatchObject({
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
