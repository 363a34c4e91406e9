import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { podNeeds } from './amounts.ts';
import { candidateOf, isSameCandidate } from './candidate.ts';
import { chooseNode, type Load } from './choose.ts';
import { NodeLoads } from './node-loads.ts';

type NodeOptions = {
  readonly labels?: JsonObject;
  readonly spec?: JsonObject;
  readonly allocatable?: JsonObject;
};

const node = (name: string, { labels = {}, spec = {}, allocatable = {} }: NodeOptions = {}): KubeObject => ({
  metadata: { name, labels },
  spec,
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } },
});
const pod = (spec: JsonObject = {}, name = 'p'): KubeObject => ({
  metadata: { name, namespace: 'ns', uid: `uid-${name}` },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const asking = (requests: JsonObject): JsonObject => ({
  containers: [{ name: 'c', resources: { requests } }],
});
const required = (...terms: readonly JsonObject[]): JsonObject => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  },
});
const load = (pods: number, requested: Load['requested'] = {}): Load => ({ requested, pods, ports: [] });
const taint = (key: string, effect: string, value = ''): JsonObject => ({ key, effect, value });

type Case = {
  readonly name: string;
  readonly pod: JsonObject;
  readonly nodes: readonly KubeObject[];
  readonly loads?: Readonly<Record<string, Load>>;
  readonly expect: string;
};

const preemption = (text: string): string => `. preemption: ${text}.`;
const unhelpful = (count: number): string =>
  preemption(`0/${count} nodes are available: ${count} Preemption is not helpful for scheduling`);

test.for<Case>([
  { name: 'no nodes', pod: {}, nodes: [], expect: 'no nodes available to schedule pods' },
  {
    name: 'the node with the fewest pods',
    pod: {},
    nodes: [node('a'), node('b'), node('c')],
    loads: { a: load(2), b: load(1), c: load(3) },
    expect: '-> b',
  },
  {
    name: 'nodeSelector',
    pod: { nodeSelector: { disk: 'ssd' } },
    nodes: [node('a'), node('b', { labels: { disk: 'ssd' } })],
    expect: '-> b',
  },
  {
    name: 'nodeSelector that nothing matches',
    pod: { nodeSelector: { disk: 'ssd' } },
    nodes: [node('a'), node('b')],
    expect: `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector${unhelpful(2)}`,
  },
  {
    name: 'required affinity: one of the terms, all of its requirements',
    pod: required(
      {
        matchExpressions: [
          { key: 'zone', operator: 'In', values: ['x'] },
          { key: 'gpu', operator: 'Exists' },
        ],
      },
      { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['8'] }] },
    ),
    nodes: [node('a', { labels: { zone: 'x' } }), node('b', { labels: { cores: '16' } })],
    expect: '-> b',
  },
  {
    name: 'required affinity by name, as a daemon set writes it',
    pod: required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }),
    nodes: [node('a'), node('b')],
    expect: '-> b',
  },
  {
    name: 'a term without requirements matches nothing',
    pod: required({}),
    nodes: [node('a')],
    expect: `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector${unhelpful(1)}`,
  },
  {
    name: 'taints repel, tolerations do not mind',
    pod: { tolerations: [{ key: 'own', operator: 'Equal', value: 'me', effect: 'NoSchedule' }] },
    nodes: [
      node('a', { spec: { taints: [taint('own', 'NoSchedule', 'you')] } }),
      node('b', { spec: { taints: [taint('own', 'NoSchedule', 'me')] } }),
    ],
    expect: '-> b',
  },
  {
    name: 'a PreferNoSchedule taint is respected if possible',
    pod: {},
    nodes: [node('a', { spec: { taints: [taint('own', 'PreferNoSchedule')] } }), node('b')],
    loads: { b: load(50) },
    expect: '-> b',
  },
  {
    name: 'cordoned and tainted nodes are counted separately',
    pod: {},
    nodes: [
      node('a', { spec: { unschedulable: true } }),
      node('b', { spec: { taints: [taint('node.kubernetes.io/unreachable', 'NoExecute')] } }),
    ],
    expect: `0/2 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 1 node(s) were unschedulable${unhelpful(2)}`,
  },
  {
    name: 'a daemon pod is scheduled to a cordoned node',
    pod: {
      tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }],
    },
    nodes: [node('a', { spec: { unschedulable: true } })],
    expect: '-> a',
  },
  {
    name: 'requested resources must be free',
    pod: asking({ cpu: '1500m', memory: '2Gi' }),
    nodes: [node('a'), node('b')],
    loads: { a: load(1, { cpu: 3000 }), b: load(9, { cpu: 2500 }) },
    expect: '-> b',
  },
  {
    name: 'every shortage is counted',
    pod: asking({ cpu: '5', memory: '16Gi', 'example.com/gpu': '1' }),
    nodes: [node('a'), node('b', { allocatable: { cpu: '8', pods: '0' } })],
    expect:
      '0/2 nodes are available: 1 Insufficient cpu, 1 Too many pods, 2 Insufficient example.com/gpu, 2 Insufficient memory' +
      preemption('0/2 nodes are available: 2 No preemption victims found for incoming pod'),
  },
])('$name', ({ pod: spec, nodes, loads = {}, expect: expected }) => {
  const choice = chooseNode(
    pod(spec),
    { nodes: nodes.map(candidateOf), loads: new Map(Object.entries(loads)) },
    1,
  );
  expect(choice.type === 'chosen' ? `-> ${choice.node}` : choice.message).toBe(expected);
});

test('ties are broken by the seed, and only by it', () => {
  const nodes = Array.from({ length: 10 }, (_, i) => candidateOf(node(`n${i}`)));
  const choices = (seed: number): string =>
    Array.from({ length: 30 }, (_, i) =>
      JSON.stringify(chooseNode(pod({}, `p${i}`), { nodes, loads: new Map() }, seed)),
    ).join();
  expect(choices(1)).toBe(choices(1));
  expect(choices(1)).not.toBe(choices(2));
});

test('a pod needs its containers together, or its hungriest moment before', () => {
  const c = (cpu: string, more: JsonObject = {}): JsonObject => ({
    resources: { requests: { cpu } },
    ...more,
  });
  const spec = {
    initContainers: [c('100m', { restartPolicy: 'Always' }), c('2')],
    containers: [c('300m'), c('400m')],
    overhead: { cpu: '50m' },
  };
  expect(podNeeds({ spec })).toEqual({ cpu: 2150 });
  expect(podNeeds({ spec: { ...spec, containers: [c('3')] } })).toEqual({ cpu: 3150 });
});

test('the book counts a pod once, and no longer when it is done', () => {
  const loads = new NodeLoads();
  const on = (phase: string): KubeObject => ({
    ...pod({ nodeName: 'a', ...asking({ cpu: '1' }) }),
    status: { phase },
  });
  loads.assign(pod(asking({ cpu: '1' })), 'a');
  loads.note(on('Pending'));
  expect(loads.loads.get('a')).toEqual(load(1, { cpu: 1000 }));
  expect(loads.note(on('Succeeded'))).toBe('freed');
  expect(loads.loads.get('a')).toBeUndefined();
  expect(loads.forget(on('Succeeded'))).toBe(false);
});

test.for([
  ['another label', node('a', { labels: { x: 'y' } }), false],
  ['a taint', node('a', { spec: { taints: [taint('own', 'NoSchedule')] } }), false],
  ['a cordon', node('a', { spec: { unschedulable: true } }), false],
  ['more room', node('a', { allocatable: { cpu: '5' } }), false],
  ['a sign of life', { ...node('a'), metadata: { name: 'a', labels: {}, resourceVersion: '7' } }, true],
] as const)('%s is news to a scheduler, or not', ([, changed, isSame]) => {
  expect(isSameCandidate(node('a'), changed)).toBe(isSame);
});
