import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { withMeta, type KubeObject } from '#kube/object.ts';
import { candidateOf } from './candidate.ts';
import { chooseNode, type Choice } from './choose.ts';
import { NodeLoads } from './node-loads.ts';

const zones = ['x', 'x', 'y', 'z'];
const nodes = zones.map((zone, i): KubeObject => ({
  metadata: { name: `n${i}`, labels: { zone, host: `n${i}`, ...(i === 3 ? { old: 'yes' } : {}) } },
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
}));
const rackless: KubeObject = {
  metadata: { name: 'bare', labels: {} },
  status: { allocatable: { pods: '110' } },
};
type Given = {
  readonly labels?: JsonObject;
  readonly namespace?: string;
  readonly spec?: JsonObject;
  readonly meta?: JsonObject;
};
let count = 0;
const pod = ({ labels = {}, namespace = 'ns', spec = {}, meta = {} }: Given = {}): KubeObject => {
  count += 1;
  return {
    metadata: { name: `p${count}`, namespace, uid: `u${count}`, labels, ...meta },
    spec: { containers: [{ name: 'c' }], ...spec },
  };
};
const spaces: Readonly<Record<string, Readonly<Record<string, string>>>> = { other: { team: 'a' } };

/** Where a pod goes when others are where they are. */
function place(
  wanting: KubeObject,
  placed: readonly (readonly [string, KubeObject])[],
  among: readonly KubeObject[] = nodes,
): Choice {
  const loads = new NodeLoads((name) => spaces[name] ?? {});
  for (const [node, each] of placed) loads.assign(each, node);
  return choose(loads, wanting, among);
}
function choose(loads: NodeLoads, wanting: KubeObject, among: readonly KubeObject[] = nodes): Choice {
  const candidates = among.map(candidateOf);
  const { counts, antiAffinity } = loads;
  const index = {
    counts,
    antiAffinity,
    termOf: (of: KubeObject, term: KubeObject) => loads.termOf(of, term),
    nodeNamed: (name: string) => candidates.find((each) => each.name === name),
  };
  return chooseNode(wanting, { nodes: candidates, loads: loads.loads, index }, 1);
}
const said = (choice: Choice): string => (choice.type === 'chosen' ? `-> ${choice.node}` : choice.message);

const app = (name: string): JsonObject => ({ matchLabels: { app: name } });
const web = { app: 'web' };
const term = (topologyKey: string, more: JsonObject = {}): JsonObject => ({
  topologyKey,
  labelSelector: app('web'),
  ...more,
});
const must = (kind: string, ...terms: readonly JsonObject[]): JsonObject => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const desired = (kind: string, weight: number, podAffinityTerm: JsonObject): JsonObject => ({
  affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] } },
});
const spread = (more: JsonObject = {}): JsonObject => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: app('web'),
      ...more,
    },
  ],
});
const unhelpful = '. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.';
const victimless = '. preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod.';
const none = '0/4 nodes are available: 4 ';

type Case = readonly [string, Given, readonly (readonly [string, Given])[], string | RegExp];
test.for<Case>([
  [
    'affinity: near the others',
    { spec: must('podAffinity', term('host')) },
    [['n2', { labels: web }]],
    '-> n2',
  ],
  [
    'affinity: no pod is there',
    { spec: must('podAffinity', term('host')) },
    [['n2', { labels: { app: 'db' } }]],
    `${none}node(s) didn't match pod affinity rules${unhelpful}`,
  ],
  [
    'affinity to itself: the first may go anywhere',
    { labels: web, spec: must('podAffinity', term('host')) },
    [],
    /^-> n/,
  ],
  [
    'affinity: another namespace does not count',
    { spec: must('podAffinity', term('host')) },
    [['n2', { labels: web, namespace: 'other' }]],
    `${none}node(s) didn't match pod affinity rules${unhelpful}`,
  ],
  [
    'affinity: a namespace by name',
    { spec: must('podAffinity', term('host', { namespaces: ['other'] })) },
    [
      ['n2', { labels: web, namespace: 'other' }],
      ['n1', { labels: web }],
    ],
    '-> n2',
  ],
  [
    'affinity: namespaces by their labels',
    { spec: must('podAffinity', term('host', { namespaceSelector: { matchLabels: { team: 'a' } } })) },
    [
      ['n2', { labels: web, namespace: 'other' }],
      ['n1', { labels: web, namespace: 'third' }],
    ],
    '-> n2',
  ],
  [
    'affinity: all terms, by the same pods',
    { spec: must('podAffinity', term('zone'), { topologyKey: 'zone', labelSelector: app('db') }) },
    [
      ['n0', { labels: web }],
      ['n1', { labels: { app: 'db' } }],
    ],
    `${none}node(s) didn't match pod affinity rules${unhelpful}`,
  ],
  [
    'anti-affinity: far from the others',
    { spec: must('podAntiAffinity', term('zone')) },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web }],
    ],
    '-> n3',
  ],
  [
    'anti-affinity: nowhere is far enough',
    { spec: must('podAntiAffinity', term('zone')) },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web }],
      ['n3', { labels: web }],
    ],
    `${none}node(s) didn't match pod anti-affinity rules${victimless}`,
  ],
  [
    'anti-affinity of those who are there',
    { labels: web },
    [
      ['n0', { spec: must('podAntiAffinity', term('zone')) }],
      ['n2', { spec: must('podAntiAffinity', term('zone')) }],
      ['n3', { spec: must('podAntiAffinity', term('zone')) }],
    ],
    `${none}node(s) didn't satisfy existing pods anti-affinity rules${victimless}`,
  ],
  [
    'anti-affinity by revision',
    {
      labels: { ...web, rev: '2' },
      spec: must('podAntiAffinity', term('zone', { matchLabelKeys: ['rev'] })),
    },
    [
      ['n0', { labels: { ...web, rev: '1' } }],
      ['n2', { labels: { ...web, rev: '2' } }],
      ['n3', { labels: { ...web, rev: '2' } }],
    ],
    /^-> n[01]$/,
  ],
  [
    'a wish to be near',
    { spec: desired('podAffinity', 10, term('host')) },
    [
      ['n3', { labels: web }],
      ['n3', {}],
    ],
    '-> n3',
  ],
  [
    'a wish to be far',
    { spec: desired('podAntiAffinity', 10, term('zone')) },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web }],
      ['n3', {}],
      ['n3', {}],
    ],
    '-> n3',
  ],
  [
    'a preferred node',
    {
      spec: {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 5, preference: { matchExpressions: [{ key: 'old', operator: 'Exists' }] } },
              {
                weight: 1,
                preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['y'] }] },
              },
            ],
          },
        },
      },
    },
    [
      ['n3', {}],
      ['n3', {}],
    ],
    '-> n3',
  ],
  [
    'spread: where the fewest are',
    { labels: web, spec: spread() },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web }],
      ['n3', {}],
    ],
    '-> n3',
  ],
  [
    'spread: those who leave do not count',
    { labels: web, spec: spread() },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web, meta: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
      ['n3', { labels: web }],
    ],
    '-> n2',
  ],
  [
    'spread: a domain that the pod may not enter does not count',
    { labels: web, spec: { ...spread(), nodeSelector: { zone: 'x' } } },
    [
      ['n0', { labels: web }],
      ['n0', { labels: web }],
      ['n1', { labels: web }],
    ],
    '-> n1',
  ],
  [
    'spread: unless the policy counts it',
    { labels: web, spec: { ...spread({ nodeAffinityPolicy: 'Ignore' }), nodeSelector: { zone: 'x' } } },
    [['n0', { labels: web }]],
    "0/4 nodes are available: 2 node(s) didn't match Pod's node affinity/selector, 2 node(s) didn't match pod topology spread constraints. preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
  ],
  [
    'spread: too few domains count as an empty one',
    { labels: web, spec: spread({ minDomains: 4 }) },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web }],
      ['n3', { labels: web }],
    ],
    `${none}node(s) didn't match pod topology spread constraints${victimless}`,
  ],
  [
    'spread: only asked',
    { labels: web, spec: spread({ whenUnsatisfiable: 'ScheduleAnyway' }) },
    [
      ['n0', { labels: web }],
      ['n2', { labels: web }],
      ['n3', {}],
      ['n3', {}],
    ],
    '-> n3',
  ],
  [
    'a port of the node is taken once',
    { spec: { containers: [{ ports: [{ hostPort: 80 }] }] } },
    ['n0', 'n1', 'n3'].map(
      (node) => [node, { spec: { containers: [{ ports: [{ hostPort: 80 }] }] } }] as const,
    ),
    '-> n2',
  ],
  [
    'a port is another one on another address or of another protocol',
    { spec: { containers: [{ ports: [{ hostPort: 80, hostIP: '10.0.0.1' }] }] } },
    ['n0', 'n1', 'n2', 'n3'].map(
      (node) =>
        [
          node,
          {
            spec: {
              containers: [
                {
                  ports: [
                    { hostPort: 80, hostIP: '10.0.0.2' },
                    { hostPort: 80, protocol: 'UDP' },
                  ],
                },
              ],
            },
          },
        ] as const,
    ),
    /^-> n/,
  ],
  [
    'all ports are taken, by a sidecar too',
    { spec: { containers: [{ ports: [{ hostPort: 80, hostIP: '10.0.0.1' }] }] } },
    ['n0', 'n1', 'n2', 'n3'].map(
      (node) =>
        [
          node,
          { spec: { initContainers: [{ restartPolicy: 'Always', ports: [{ hostPort: 80 }] }] } },
        ] as const,
    ),
    `${none}node(s) didn't have free ports for the requested pod ports${victimless}`,
  ],
])('%s', ([, wanting, placed, expected]) => {
  const choice = said(
    place(
      pod(wanting),
      placed.map(([node, given]) => [node, pod(given)]),
    ),
  );
  if (typeof expected === 'string') expect(choice).toBe(expected);
  else expect(choice).toMatch(expected);
});

test('a node without the label is in no domain', () => {
  expect(said(place(pod({ labels: web, spec: spread() }), [], [rackless]))).toBe(
    "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label). preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
  );
  expect(said(place(pod({ labels: web, spec: must('podAntiAffinity', term('zone')) }), [], [rackless]))).toBe(
    '-> bare',
  );
});

type Act = {
  readonly who: number;
  readonly what: 'come' | 'go' | 'change' | 'leave' | 'end';
  readonly node: number;
  readonly labels: JsonObject;
  readonly anti: boolean;
};
const act: fc.Arbitrary<Act> = fc.record({
  who: fc.integer({ min: 0, max: 7 }),
  what: fc.constantFrom('come', 'go', 'change', 'leave', 'end'),
  node: fc.integer({ min: 0, max: 3 }),
  labels: fc.constantFrom<JsonObject>({}, web, { app: 'db' }),
  anti: fc.boolean(),
});

/** The changes of a pod, and what the index gets. */
function happen(loads: NodeLoads, old: KubeObject | undefined, each: Act): KubeObject | undefined {
  if (old === undefined) {
    if (each.what !== 'come') return undefined;
    const spec = {
      nodeName: `n${each.node}`,
      ...(each.anti ? must('podAntiAffinity', term('zone')) : {}),
    };
    return renewed(loads, pod({ labels: each.labels, spec }));
  }
  if (each.what === 'go') loads.forget(old);
  if (each.what === 'end') loads.note({ ...old, status: { phase: 'Failed' } });
  if (each.what === 'go' || each.what === 'end') return undefined;
  const leaves = each.what === 'leave' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
  return renewed(loads, withMeta(old, { labels: each.labels, ...leaves }));
}

function renewed(loads: NodeLoads, changed: KubeObject): KubeObject {
  loads.note(changed);
  return changed;
}

test('the incremental counts are the counts of a full computation', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const loads = new NodeLoads();
      const here = new Map<number, KubeObject | undefined>();
      const asking = [
        pod({ labels: web, spec: spread() }),
        pod({ spec: must('podAntiAffinity', term('zone')) }),
        pod({ labels: web, spec: desired('podAffinity', 1, term('host')) }),
      ];
      for (const each of acts) {
        here.set(each.who, happen(loads, here.get(each.who), each));
        const anew = new NodeLoads();
        for (const one of here.values()) if (one !== undefined) anew.note(one);
        for (const one of asking) expect(choose(loads, one)).toEqual(choose(anew, one));
      }
    }),
    { numRuns: 60 },
  );
});
