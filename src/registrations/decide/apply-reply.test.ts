import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReply } from '#registrations/kinds/read-reply.ts';
import { emptyReply, type HookReply } from '#registrations/kinds/reply.ts';
import { at, equalJson, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { applyReply, hookVariables } from './apply-reply.ts';
import { applyPatches, type Patched } from './apply-patches.ts';
import type { Children } from './cycle.ts';
import { renderInstance } from './render-instance.ts';
import { hookSpec, kuard, registered, environment } from './testing/kuard.ts';

const registration = registered({
  spec: { hook: hookSpec({ protectedFields: ['/spec/replicas', '/spec/template/spec/containers/0/image'] }) },
  workload: {
    parameterConfiguration: { addEnvsFromHook: ['*'] },
  },
});
const open = registered({ spec: { hook: hookSpec() } });
const ofKnative = registered({
  spec: { hook: hookSpec() },
  workload: { formFactor: { knativeService: {} } },
});

function childrenOf(of = registration): Children {
  const rendered = renderInstance({
    registration: of,
    instance: kuard(),
    environment,
    references: new Map(),
  });
  if (rendered.type === 'failed') throw new Error(rendered.message);
  return rendered.children;
}

const apply = (body: Json, of = registration, children = childrenOf(of)): Patched => {
  const read = readReply(JSON.stringify(body), { phase: 'post-reconcile' });
  if (read.type === 'malformed') return { type: 'refused', message: read.message };
  return applyReply({ registration: of, instance: kuard(), children }, read.reply);
};
function must(patched: Patched): Children {
  if (patched.type === 'refused') throw new Error(patched.message);
  return patched.children;
}
const podOf = (child: Json | undefined): JsonObject => at(child, 'spec', 'template', 'spec') as JsonObject;
const containers = (child: Json | undefined): readonly Json[] => listAt(podOf(child), 'containers');

const resources = { limits: { cpu: '250m' } };
const onPods = (podSpec: JsonObject): JsonObject => ({ spec: { template: { spec: podSpec } } });

describe('patches', () => {
  test('an object is merged, with its lists by key', () => {
    const { deployment } = must(
      apply({ patches: [{ main: onPods({ containers: [{ name: 'adapter', resources }] }) }] }),
    );
    expect(containers(deployment)).toEqual([
      { ...(containers(childrenOf().deployment)[0] as JsonObject), resources },
    ]);
  });

  test('further containers, variables and ports are added, and a marked one is removed', () => {
    const sidecar = { name: 'sidecar', image: 'sidecar' };
    const added = must(
      apply(
        {
          patches: [
            { main: onPods({ containers: [sidecar] }) },
            { service: { spec: { ports: [{ port: 9090, name: 'm' }] } } },
          ],
        },
        open,
      ),
    );
    expect(new Set(containers(added.deployment).map((each) => textAt(each, 'name')))).toEqual(
      new Set(['adapter', 'sidecar']),
    );
    expect(new Set(listAt(added.service, 'spec', 'ports').map((each) => at(each, 'port')))).toEqual(
      new Set([80, 9090]),
    );
    const env = [{ name: 'ARRAY', $patch: 'delete' }];
    const less = must(apply({ patches: [{ main: onPods({ containers: [{ name: 'adapter', env }] }) }] }));
    expect(listAt(containers(less.deployment)[0], 'env').map((each) => textAt(each, 'name'))).not.toContain(
      'ARRAY',
    );
  });

  test('a Service of Knative is merged in the same way', () => {
    const { ksvc } = must(
      apply({ patches: [{ main: onPods({ containers: [{ name: 'adapter', resources }] }) }] }, ofKnative),
    );
    expect(containers(ksvc)).toHaveLength(1);
    expect(at(containers(ksvc)[0], 'resources')).toEqual(resources);
    expect(at(containers(ksvc)[0], 'image')).toBe('gcr.io/kuar-demo/kuard-amd64:blue');
  });

  test('a list is a JSON patch, and merge is RFC 7396', () => {
    const json = [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }];
    expect(
      at(must(apply({ patches: [{ deployment: json }] })).deployment, 'metadata', 'annotations'),
    ).toEqual({ a: 'b' });
    const merge = { target: 'service', type: 'merge', patch: { spec: { ports: [{ port: 81 }] } } };
    expect(listAt(must(apply({ patches: [merge] })).service, 'spec', 'ports')).toEqual([{ port: 81 }]);
  });

  test('entries see what those before them did', () => {
    const patches = [
      { main: { metadata: { annotations: { a: '1' } } } },
      {
        main: [
          { op: 'test', path: '/metadata/annotations/a', value: '1' },
          { op: 'add', path: '/metadata/annotations/b', value: '2' },
        ],
      },
    ];
    expect(at(must(apply({ patches })).deployment, 'metadata', 'annotations')).toEqual({ a: '1', b: '2' });
  });

  test.for(['serviceAccount', 'serviceaccount', 'service-account'])('a %s is made on demand', (target) => {
    const annotations = { 'example.com/role': 'reader' };
    const children = must(apply({ patches: [{ [target]: { metadata: { annotations } } }] }));
    expect(children.serviceAccount).toMatchObject({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'kuard-my-kuard-extension', namespace: 'default', annotations },
    });
    expect(podOf(children.deployment)['serviceAccountName']).toBe('kuard-my-kuard-extension');
    expect(listAt(children.serviceAccount, 'metadata', 'ownerReferences')).toHaveLength(1);
  });

  test('pods run as the account that a patch names, though another is made', () => {
    const patches = [
      { serviceAccount: { metadata: { annotations: { a: 'b' } } } },
      { main: onPods({ serviceAccountName: 'elsewhere' }) },
    ];
    const children = must(apply({ patches }));
    expect(podOf(children.deployment)['serviceAccountName']).toBe('elsewhere');
    expect(children.serviceAccount).toBeDefined();
  });

  test('the status of a child is not taken', () => {
    const { deployment } = must(apply({ patches: [{ main: { status: { replicas: 7 } } }] }));
    expect(deployment).toEqual(childrenOf().deployment);
  });

  const rejections: readonly [string, Json, RegExp][] = [
    ['an unknown target', { pod: {} }, /targets are main, service and serviceAccount/],
    ['two targets', { main: {}, service: {} }, /must have one member/],
    ['the words of the sample', { main: 'object' }, /a patch is a list/],
    ['a strange type', { target: 'main', type: 'jq', patch: {} }, /type must be/],
    ['a list as a merge', { target: 'main', type: 'merge', patch: [] }, /must be an object/],
    ['a failing test', { main: [{ op: 'test', path: '/kind', value: 'Pod' }] }, /not as tested/],
    ['a path to nowhere', { main: [{ op: 'remove', path: '/spec/nothing' }] }, /nothing at nothing/],
    ['an unknown operation', { main: [{ op: 'jump', path: '/x' }] }, /./],
    ['the whole object', { main: [{ op: 'replace', path: '', value: 7 }] }, /nothing is left/],
    ['apiVersion', { main: { apiVersion: 'v1' } }, /changes apiVersion/],
    ['kind', { service: { kind: 'Ingress' } }, /changes kind/],
    ['the name', { main: { metadata: { name: 'x' } } }, /changes metadata\.name/],
    ['the namespace', { main: { metadata: { namespace: 'kube-system' } } }, /changes metadata\.namespace/],
    ['the uid', { main: { metadata: { uid: 'x' } } }, /changes metadata\.uid/],
    [
      'the resourceVersion',
      { main: { metadata: { resourceVersion: '1' } } },
      /changes metadata\.resourceVersion/,
    ],
    ['managed fields', { main: { metadata: { managedFields: [] } } }, /changes metadata\.managedFields/],
    [
      'a deletion',
      { main: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } } },
      /changes metadata\.deletionTimestamp/,
    ],
    [
      'our owner reference',
      { target: 'main', type: 'merge', patch: { metadata: { ownerReferences: [] } } },
      /owner reference/,
    ],
    [
      'a second controller',
      {
        main: {
          metadata: {
            ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'other', controller: true }],
          },
        },
      },
      /owner reference/,
    ],
    [
      'a second controller behind ours',
      {
        main: [
          {
            op: 'add',
            path: '/metadata/ownerReferences/-',
            value: { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'other', controller: true },
          },
        ],
      },
      /owner reference/,
    ],
    [
      'a label of ours',
      { main: { metadata: { labels: { 'app.kubernetes.io/managed-by': 'me' } } } },
      /managed-by/,
    ],
    [
      'a label of ours, gone',
      { service: { metadata: { labels: { 'app.kubernetes.io/name': null } } } },
      /name\]/,
    ],
    ['the selector', { main: { spec: { selector: { matchLabels: { a: 'b' } } } } }, /changes spec\.selector/],
    [
      'a label of the pods',
      { main: { spec: { template: { metadata: { labels: { 'app.kubernetes.io/instance': 'x' } } } } } },
      /template\.metadata\.labels/,
    ],
    [
      'the container',
      {
        main: onPods({
          containers: [
            { name: 'adapter', $patch: 'delete' },
            { name: 'x', image: 'y' },
          ],
        }),
      },
      /no container adapter/,
    ],
    ['what the registration protects', { main: { spec: { replicas: 5 } } }, /changes \/spec\/replicas/],
    [
      'the image, protected',
      { main: onPods({ containers: [{ name: 'adapter', image: 'other' }] }) },
      /image, which the registration protects/,
    ],
    [
      'something enormous',
      { main: { metadata: { annotations: { a: 'x'.repeat(600_000) } } } },
      /larger than/,
    ],
  ];

  test.for(rejections)('%s is refused, and all with it', ([, entry, message]) => {
    const good = { main: { metadata: { annotations: { a: 'b' } } } };
    expect(apply({ patches: [good, entry] })).toMatchObject({
      type: 'refused',
      message: expect.stringMatching(message),
    });
    expect(apply({ patches: [good] })).toMatchObject({ type: 'patched' });
  });

  test('a Service that is not rendered cannot be patched', () => {
    expect(apply({ patches: [{ service: {} }] }, ofKnative)).toMatchObject({
      type: 'refused',
      message: 'patches[0] is for the service, but none is rendered',
    });
  });

  test('too many of them', () => {
    expect(apply({ patches: Array.from({ length: 65 }, () => ({ main: {} })) })).toMatchObject({
      type: 'refused',
    });
    const operations = Array.from({ length: 513 }, () => ({
      op: 'test',
      path: '/kind',
      value: 'Deployment',
    }));
    expect(apply({ patches: [{ main: operations }] })).toMatchObject({ type: 'refused' });
  });
});

describe('variables', () => {
  const envVars = [
    { name: 'ZZ', value: '1' },
    { name: 'VARIABLE1', value: 'from the hook' },
    { key: 'BY_KEY', value: '2' },
  ];
  const taking = (...addEnvsFromHook: readonly string[]) =>
    registered({ spec: { hook: hookSpec() }, workload: { parameterConfiguration: { addEnvsFromHook } } });

  test.for<[readonly string[], readonly string[], readonly string[]]>([
    [['*'], ['BY_KEY', 'VARIABLE1', 'ZZ'], []],
    [['ZZ'], ['ZZ'], ['VARIABLE1', 'BY_KEY']],
    [[], [], ['ZZ', 'VARIABLE1', 'BY_KEY']],
  ])('addEnvsFromHook %j takes %j', ([names, taken, ignored]) => {
    const of = taking(...names);
    const { deployment } = must(apply({ envVars }, of));
    const env = listAt(containers(deployment)[0], 'env');
    const all = env.map((each) => textAt(each, 'name') ?? '');
    expect(all).toEqual([...all].sort());
    expect(
      ['BY_KEY', 'VARIABLE1', 'ZZ'].filter((name) =>
        env.some((each) => textAt(each, 'name') === name && textAt(each, 'value') !== 'value 1'),
      ),
    ).toEqual(taken);
    const read = readReply(JSON.stringify({ envVars }), { phase: 'pre-reconcile' });
    expect(read.type === 'reply' && hookVariables(of, read.reply).ignored).toEqual(ignored);
  });
});

describe('whole children (later dialect)', () => {
  test('one replaces the rendered one, and what is left out stays', () => {
    const { deployment, service } = childrenOf();
    const typed = {
      ...deployment,
      metadata: {
        ...(deployment?.['metadata'] as JsonObject),
        creationTimestamp: null,
        annotations: { a: 'b' },
      },
      status: {},
    };
    const children = must(apply({ children: { deployment: typed } }));
    expect(at(children.deployment, 'metadata', 'annotations')).toEqual({ a: 'b' });
    expect(at(children.deployment, 'metadata', 'creationTimestamp')).toBeUndefined();
    expect(at(children.deployment, 'status')).toBeUndefined();
    expect(children.service).toEqual(service);
  });

  test.for<[string, Json, RegExp]>([
    ['null', { deployment: null }, /children\.deployment must be an object/],
    ['one without a kind', { deployment: {} }, /has no kind/],
    ['one that is not rendered', { ksvc: { kind: 'Service' } }, /none is rendered/],
    [
      'another object',
      { deployment: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } } },
      /protected|no container/,
    ],
  ])('%s is refused', ([, children, message]) => {
    expect(apply({ children })).toMatchObject({ type: 'refused', message: expect.stringMatching(message) });
  });
});

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const pointers = fc.constantFrom(
  '/kind',
  '/metadata/name',
  '/metadata/labels',
  '/metadata/ownerReferences/0',
  '/spec/replicas',
  '/spec/template/spec/containers/0/image',
  '/spec/template/spec/containers/0/name',
  '/spec/selector',
  '/metadata/annotations',
  '/status',
  '',
);
const operation = fc.record({
  op: fc.constantFrom('add', 'replace', 'remove', 'copy', 'move', 'test'),
  path: pointers,
  from: pointers,
  value: anyJson,
}) as fc.Arbitrary<Json>;
const entry = fc.oneof(
  fc.record({
    target: fc.constantFrom('main', 'service', 'serviceAccount'),
    patch: fc.array(operation, { maxLength: 4 }),
  }),
  fc.record({ main: fc.record({ metadata: anyJson, spec: anyJson }, { requiredKeys: [] }) }),
  fc.record({
    target: fc.constant('main'),
    type: fc.constant('merge'),
    patch: fc.record({ metadata: anyJson, spec: anyJson }, { requiredKeys: [] }),
  }),
) as fc.Arbitrary<Json>;

test('whatever is patched, protected fields never change, and what is given is not touched', () => {
  const before = childrenOf();
  const text = JSON.stringify(before);
  const kept = [
    ['apiVersion'],
    ['kind'],
    ['metadata', 'name'],
    ['metadata', 'namespace'],
    ['spec', 'selector'],
    ['spec', 'replicas'],
  ];
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (patches) => {
      const patched = apply({ patches }, registration, before);
      expect(JSON.stringify(before)).toBe(text);
      if (patched.type === 'refused') return;
      for (const path of kept)
        expect(equalJson(at(patched.children.deployment, ...path), at(before.deployment, ...path))).toBe(
          true,
        );
      expect(
        at(
          containers(patched.children.deployment).find((each) => textAt(each, 'name') === 'adapter'),
          'name',
        ),
      ).toBe('adapter');
      expect(patched.children.service?.['kind']).toBe('Service');
    }),
    { numRuns: 300 },
  );
});

test('applyPatches guards by itself', () => {
  const options = {
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } },
    protectedFields: [],
  };
  const of = (patch: JsonObject) =>
    applyPatches(childrenOf(), [{ target: 'main', type: 'merge', patch }], options);
  expect(of({ metadata: { name: 'x' } })).toEqual({
    type: 'refused',
    message: 'the deployment changes metadata.name, which is protected',
  });
  expect(of({ spec: { replicas: 3 } })).toMatchObject({
    type: 'patched',
    children: { deployment: { spec: { replicas: 3 } } },
  });
});

test('other owners may be added, as long as they do not control', () => {
  const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'other' };
  const { deployment } = must(apply({ patches: [{ main: { metadata: { ownerReferences: [owner] } } }] }));
  expect(listAt(deployment, 'metadata', 'ownerReferences')).toHaveLength(2);
});

test('an empty reply changes nothing at all', () => {
  const children = childrenOf();
  const reply: HookReply = emptyReply;
  const patched = applyReply({ registration, instance: kuard(), children }, reply);
  expect(patched).toEqual({ type: 'patched', children });
  expect(patched.type === 'patched' && patched.children).toBe(children);
});
