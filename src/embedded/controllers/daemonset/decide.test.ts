import { expect, test } from 'vitest';
import { listAt, type JsonObject } from '#base/json.ts';
import { noon, podOf, workloadOf, type PodGiven } from '#kube/workload/testing/objects.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { daemonSpec, targetNode } from './daemon-pod.ts';
import { decideDaemonSet, type DaemonDecision } from './decide.ts';

const setOf = (rollingUpdate: JsonObject = { maxUnavailable: 1 }, podSpec: JsonObject = {}): KubeObject =>
  workloadOf('DaemonSet', 'ds', {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: 'i' }], ...podSpec },
    },
  });

const nodeOf = (name: string, spec: JsonObject = {}, labels: JsonObject = {}): KubeObject => ({
  metadata: { name, labels },
  spec,
});

const pod = (node: string, given: PodGiven & { readonly isOld?: boolean } = {}): KubeObject =>
  podOf({
    name: `on-${node}`,
    node,
    readyAt: 0,
    labels: { app: 'x', 'controller-revision-hash': given.isOld === true ? 'old' : 'new' },
    ...given,
  });

const decide = (set: KubeObject, nodes: readonly KubeObject[], pods: readonly KubeObject[]): DaemonDecision =>
  decideDaemonSet({ set, nodes, pods, hash: 'new' }, noon);

const told = ({ create, remove }: DaemonDecision): readonly string[] => [
  ...create.map((each) => `+${targetNode(each)}`),
  ...remove.map((each) => `-${nameOf(each)}`),
];

const newLabels = { app: 'x', 'controller-revision-hash': 'new' };

/** A pod that is meant for a node and has not got there. */
const waitingFor = (node: string): KubeObject => {
  const [made] = decide(setOf(), [nodeOf(node)], []).create;
  return podOf({ name: `on-${node}`, labels: newLabels, spec: made?.['spec'] as JsonObject });
};

const taint = (effect: string): JsonObject => ({ taints: [{ key: 'k', value: 'v', effect }] });
const three = ['a', 'b', 'c'].map((name) => nodeOf(name));
const unreadyPod = (node: string, isOld: boolean): KubeObject => ({
  ...pod(node, { isOld }),
  status: { phase: 'Running' },
});

test.for<readonly [string, KubeObject, readonly KubeObject[], readonly KubeObject[], readonly string[]]>([
  ['one for every node', setOf(), three, [], ['+a', '+b', '+c']],
  ['none where there is one', setOf(), three, [pod('a'), pod('b'), pod('c')], []],
  [
    'the younger double goes',
    setOf(),
    [nodeOf('a')],
    [pod('a'), pod('a', { name: 'twin', createdAt: 5 })],
    ['-twin'],
  ],
  [
    'not on a node it does not select',
    setOf({}, { nodeSelector: { disk: 'ssd' } }),
    [nodeOf('a'), nodeOf('b', {}, { disk: 'ssd' })],
    [],
    ['+b'],
  ],
  ['not on a node that repels it', setOf(), [nodeOf('a', taint('NoSchedule'))], [], []],
  ['but it may stay there', setOf(), [nodeOf('a', taint('NoSchedule'))], [pod('a')], []],
  ['unless it is thrown out', setOf(), [nodeOf('a', taint('NoExecute'))], [pod('a')], ['-on-a']],
  [
    'closed nodes are no obstacle',
    setOf(),
    [
      nodeOf('a', {
        unschedulable: true,
        taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
      }),
    ],
    [],
    ['+a'],
  ],
  [
    'it tolerates what it says',
    setOf({}, { tolerations: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] }),
    [nodeOf('a', taint('NoSchedule'))],
    [],
    ['+a'],
  ],
  ['a failed one is replaced', setOf(), [nodeOf('a')], [pod('a', { phase: 'Failed' })], ['-on-a']],
  ['a terminating one is waited for', setOf(), [nodeOf('a')], [pod('a', { isDeleting: true })], []],
  ['a pod for a node that is gone goes', setOf(), [], [waitingFor('a')], ['-on-a']],
  ['one that was bound there is the garbage collector’s', setOf(), [], [pod('a')], []],
  [
    'an update replaces as many as may be missing',
    setOf({ maxUnavailable: 2 }),
    three,
    [pod('a', { isOld: true }), pod('b', { isOld: true }), pod('c', { isOld: true })],
    ['-on-a', '-on-b'],
  ],
  [
    'counting those that are missing already',
    setOf(),
    three,
    [unreadyPod('a', false), pod('b', { isOld: true }), pod('c', { isOld: true })],
    [],
  ],
  [
    'an unready old one is deleted at once',
    setOf(),
    three,
    [unreadyPod('a', true), pod('b', { isOld: true }), pod('c')],
    ['-on-a'],
  ],
  [
    'with a surge the new one comes first',
    setOf({ maxSurge: 1, maxUnavailable: 0 }),
    three,
    [pod('a', { isOld: true }), pod('b', { isOld: true }), pod('c', { isOld: true })],
    ['+a'],
  ],
  [
    'and the old one is deleted when it is available',
    setOf({ maxSurge: 1, maxUnavailable: 0 }),
    [nodeOf('a')],
    [pod('a', { isOld: true }), pod('a', { name: 'next' })],
    ['-on-a'],
  ],
  [
    'or when it does not serve anyway',
    setOf({ maxSurge: 1, maxUnavailable: 0 }),
    [nodeOf('a')],
    [unreadyPod('a', true), podOf({ name: 'next', node: 'a', labels: newLabels })],
    ['-on-a'],
  ],
  [
    'with a surge the successor of a failed one comes at once',
    setOf({ maxSurge: 1, maxUnavailable: 0 }),
    [nodeOf('a')],
    [pod('a', { phase: 'Failed' })],
    ['+a', '-on-a'],
  ],
])('%s', ([, set, nodes, pods, expected]) => {
  expect(told(decide(set, nodes, pods))).toEqual(expected);
});

test('nothing is replaced on delete', () => {
  const set = workloadOf('DaemonSet', 'ds', { updateStrategy: { type: 'OnDelete' } });
  expect(told(decide(set, [nodeOf('a')], [pod('a', { isOld: true })]))).toEqual([]);
});

test('what a daemon endures, and where it is meant to be', () => {
  const spec = daemonSpec(setOf({}, { hostNetwork: true }));
  expect(listAt(spec, 'tolerations')).toHaveLength(7);
  const [made] = decide(setOf(), [nodeOf('a')], []).create;
  expect(made).toMatchObject({
    metadata: { generateName: 'ds-', labels: { app: 'x', 'controller-revision-hash': 'new' } },
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
  });
});

test('a status counts nodes', () => {
  const nodes = [...three, nodeOf('d', taint('NoSchedule'))];
  const pods = [pod('a'), unreadyPod('b', true), pod('d')];
  expect(decide(setOf(), nodes, pods).status).toEqual({
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    desiredNumberScheduled: 3,
    numberReady: 1,
    observedGeneration: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
  });
});
