import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { stepsOf } from '#machines/decide/plan.ts';
import { factsOf, folder, script } from '#machines/decide/testing/facts.ts';
import type { OperationKind } from '#machines/decide/model.ts';
import { planObject, prepareObject, type ObjectPlan } from './plan-object.ts';
import type { Segment } from './segments.ts';

const facts = factsOf({
  '/var/lib/hooks': folder({ pre: script(), post: script(), between: script() }),
});

const cluster = (features: JsonObject, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Cluster',
  metadata: { name: 'c' },
  spec: {
    type: 'Baremetal',
    version: '1.30.1',
    installer: 'none',
    machines: [{ ip: '10.0.0.1', password: 'eA==' }],
    features: { files: [{ src: 'hooks', dst: '/h' }], ...features },
    ...spec,
  },
});
const worker = (at: number): JsonObject => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Machine',
  metadata: { name: `w${at}` },
  spec: { clusterName: 'c', type: 'Baremetal', ip: `10.0.1.${at}`, password: 'eA==' },
});

function planned(
  object: JsonObject,
  kind: OperationKind,
  machines: readonly JsonObject[] = [],
  nodes: readonly string[] = [],
): ObjectPlan {
  const request = { cluster: object, machines, wanted: { kind, nodes }, root: '/var/lib', force: false };
  const made = planObject(request, prepareObject(request), facts);
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  return made;
}

/** Steps with their machines, and questions in brackets. */
const outline = (segments: readonly Segment[]): readonly string[] =>
  segments.map((segment) =>
    segment.type === 'gates'
      ? `[${segment.gates.map(({ hook, node }) => `${hook} ${node}`).join(', ')}]`
      : stepsOf(segment.plan)
          .map(({ title, targets }) => `${title} ${targets.map(({ node }) => node).join('+')}`)
          .join('; '),
  );

const ask = { templateName: 't' };

test('questions cut a plan where their hooks stand; files go with every part', () => {
  const object = cluster({
    hooks: {
      PreClusterInstall: ask,
      PreInstall: '/h/pre',
      HookPostInstall: { ...ask, namespace: 'n' },
      PostClusterInstall: '/h/post',
    },
  });
  expect(outline(planned(object, 'cluster.create').segments)).toEqual([
    'files 10.0.0.1',
    '[PreClusterInstall 10.0.0.1]',
    'files 10.0.0.1; PreInstall 10.0.0.1',
    '[PostInstall 10.0.0.1]',
    'files 10.0.0.1; PostClusterInstall 10.0.0.1',
  ]);
});

test('a question in the one stage of a joining worker cuts that stage', () => {
  const object = cluster({ hooks: { PreInstall: ask, PostInstall: '/h/post' } });
  expect(outline(planned(object, 'node.join', [worker(1)], ['w1']).segments)).toEqual([
    'files w1',
    '[PreInstall w1]',
    'files w1; PostInstall w1',
  ]);
});

test.for([
  [
    { batchSize: 2, betweenBatches: ask },
    [
      'files 10.0.0.1+w1+w2+w3; PreUpgrade 10.0.0.1; PreUpgrade w1; PreUpgrade w2',
      '[BetweenBatches 10.0.0.1]',
      'files 10.0.0.1+w1+w2+w3; PreUpgrade w3; PostClusterUpgrade 10.0.0.1',
    ],
  ],
  [
    { batchSize: 2, betweenBatches: '/h/between' },
    [
      'files 10.0.0.1+w1+w2+w3; PreUpgrade 10.0.0.1; PreUpgrade w1; PreUpgrade w2; BetweenBatches 10.0.0.1; PreUpgrade w3; PostClusterUpgrade 10.0.0.1',
    ],
  ],
  [
    {},
    [
      'files 10.0.0.1+w1+w2+w3; PreUpgrade 10.0.0.1; PreUpgrade w1; PreUpgrade w2; PreUpgrade w3; PostClusterUpgrade 10.0.0.1',
    ],
  ],
  [
    { batchSize: 5, betweenBatches: ask },
    [
      'files 10.0.0.1+w1+w2+w3; PreUpgrade 10.0.0.1; PreUpgrade w1; PreUpgrade w2; PreUpgrade w3; PostClusterUpgrade 10.0.0.1',
    ],
  ],
] as const)('workers go in batches: %j', ([upgrade, expected]) => {
  const object = cluster({ hooks: { PreUpgrade: '/h/pre', PostClusterUpgrade: '/h/post' }, upgrade });
  const { plan, segments } = planned(object, 'cluster.upgrade', [worker(1), worker(2), worker(3)]);
  expect(outline(segments)).toEqual(expected);
  expect(new Set(stepsOf(plan).map(({ id }) => id)).size).toBe(stepsOf(plan).length);
});

test('within a batch machines go side by side', () => {
  const object = cluster({ hooks: { PreUpgrade: '/h/pre' }, upgrade: { batchSize: 2 } });
  const { plan } = planned(object, 'cluster.upgrade', [worker(1), worker(2), worker(3)]);
  expect(plan.stages.filter(({ id }) => id.startsWith('batch-')).map(({ steps }) => steps.length)).toEqual([
    2, 1,
  ]);
});

test('a master that the spec has no more is forgotten by the others; nothing runs on it', () => {
  const object = cluster({ hooks: {} }, { installer: 'kubeadm' });
  const { plan } = planned(object, 'node.delete', [], ['10.0.0.2']);
  const where = new Set(stepsOf(plan).flatMap(({ targets }) => targets.map(({ node }) => node)));
  expect([...where]).toEqual(['10.0.0.1']);
  expect(stepsOf(plan).map(({ title }) => title)).toEqual(['drain', 'forget']);
});

test.for([
  [{ hooks: { PreInstall: { templateName: '' } } }, '/spec/features/hooks/PreInstall'],
  [{ hooks: { PreInstall: ask, HookPreInstall: ask } }, '/spec/features/hooks/HookPreInstall'],
  [{ hooks: { PreInstall: '/elsewhere' } }, '/spec/features/hooks/PreInstall'],
  [{ upgrade: { betweenBatches: '/elsewhere' } }, '/spec/features/upgrade/betweenBatches'],
  [{ hooks: { PreInstall: { ...ask, args: [{ value: 'x' }] } } }, '/spec/features/hooks/PreInstall'],
] as const)('an invalid value is reported at its place: %j', ([features, pointer]) => {
  const request = {
    cluster: cluster(features),
    machines: [],
    wanted: { kind: 'cluster.create' as const, nodes: [] },
    root: '/var/lib',
    force: false,
  };
  const made = planObject(request, prepareObject(request), facts);
  expect('problems' in made && made.problems.map(({ origin }) => origin.pointer)).toContain(pointer);
});

const problemsOf = (object: JsonObject): readonly string[] => {
  const wanted = { kind: 'cluster.create', nodes: [] } as const;
  const request = { cluster: object, machines: [], wanted, root: '/var/lib', force: false };
  const made = planObject(request, prepareObject(request), facts);
  return 'problems' in made
    ? made.problems.map(({ origin, message }) => `${origin.pointer}: ${message}`)
    : [];
};

test.for<{ name: string; object: JsonObject; says: readonly string[] }>([
  {
    name: 'a Secret without a login is reported where it is named',
    object: cluster({}, { machines: [{ ip: '10.0.0.1', credentialsFrom: { name: 'login' } }] }),
    says: [
      '/spec/machines/0/credentialsFrom: the Secret default/login has neither a password nor a privateKey: give it one of these keys',
    ],
  },
  {
    name: 'a gate with an unknown key',
    object: cluster({ hooks: { PreInstall: { ...ask, argz: [] } } }),
    says: ['/spec/features/hooks/PreInstall: argz is not known here'],
  },
  {
    name: 'base64 in several lines is one text',
    object: cluster(
      {},
      {
        machines: [
          {
            ip: '10.0.0.1',
            privateKey: 'a2V5\na2V5\n',
            proxy: { type: 'SSHJumpServer', ip: '10.0.0.2', password: 'e\nA==' },
          },
        ],
      },
    ),
    says: [],
  },
])('$name', ({ object, says }) => {
  expect(problemsOf(object)).toEqual(says);
});
