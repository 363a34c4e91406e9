import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textAt, type Json } from '#base/json.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  deployment,
  deployments,
  home,
  pod,
  pods,
  readyForPods,
  widget,
  widgets,
} from '../support/story-objects.ts';

type Request = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly type: string;
  readonly accept: string;
  readonly body: string;
};

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'HEAD', 'BREW'];
const collections = [
  configMaps,
  pods,
  deployments,
  widgets,
  `${home}/services`,
  `${home}/secrets`,
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/apis/batch/v1/namespaces/default/jobs',
  '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];
const names = [
  '',
  '/a',
  '/b',
  '/nope',
  '/a/status',
  '/a/scale',
  '/a/binding',
  '/a/eviction',
  '/a/log',
  '/a/finalize',
  '/__proto__',
  '/%00',
  '/a/b/c/d',
];
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...collections), fc.constantFrom(...names))
      .map((parts) => parts.join('')),
  },
  fc.constantFrom('/', '/api', '/apis', '/version', '/readyz', '/openapi/v3', '/api/v1', '/apis/apps/v1'),
  fc.webPath(),
);
const parameters = [
  'watch',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'labelSelector',
  'fieldSelector',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'timeout',
  'timeoutSeconds',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'includeObject',
  'pretty',
  'container',
  '__proto__',
];
const values = [
  '',
  '0',
  '1',
  '-1',
  'true',
  'false',
  'All',
  'Strict',
  'Exact',
  'NotOlderThan',
  'Foreground',
  'Orphan',
  'a=b',
  'metadata.name=a',
  '!',
  'a in (b',
  '99999999999999999999',
  'x'.repeat(200),
  '\u0000',
  '__proto__',
  '{}',
];
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...parameters),
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, fc.string()),
    ),
    { maxLength: 3 },
  )
  .map((pairs) =>
    pairs.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
  );
const types = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
  '',
];
const accepts = [
  'application/json',
  '*/*',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'text/html',
];

const keys = [
  'kind',
  'apiVersion',
  'metadata',
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'resourceVersion',
  'uid',
  'spec',
  'status',
  'data',
  'replicas',
  'selector',
  'template',
  'containers',
  'ports',
  'conditions',
  'target',
  'deleteOptions',
  'preconditions',
  'op',
  'path',
  'value',
  'from',
  '$patch',
  '$retainKeys',
  '$setElementOrder/finalizers',
  '__proto__',
  'constructor',
  '0',
  '',
];
const leaf = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1e308,
    1.5,
    '',
    'a',
    'v1',
    'ConfigMap',
    'Widget',
    'example.com/v1',
    '/data/a',
    'add',
    'All',
    '\u0000',
    '2020-01-01T00:00:00Z',
    '10Gi',
  ),
  fc.string(),
);
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const template: readonly Json[] = [
  configMap('a', { data: { a: 'b' } }, { labels: { a: 'b' } }),
  deployment('a'),
  pod('a'),
  widget('a', { spec: { a: [1] } }),
];
/** A sound object with one thing in it replaced. */
const damaged = fc.tuple(fc.constantFrom(...template), fc.nat(40), tree).map(([object, at, value]) => {
  let count = 0;
  return JSON.stringify(object, (_key, each: unknown) => (count++ === at ? value : each)) ?? '';
});
const body = fc.oneof(
  { weight: 3, arbitrary: damaged },
  { weight: 3, arbitrary: tree.map((value) => JSON.stringify(value)) },
  fc.array(tree, { maxLength: 3 }).map((value) => JSON.stringify(value)),
  fc.string(),
);
const request: fc.Arbitrary<Request> = fc.record({
  method: fc.constantFrom(...methods),
  path,
  query,
  type: fc.constantFrom(...types),
  accept: fc.constantFrom(...accepts),
  body,
});

/** What a real server, too, calls an internal error; its other 500s, like ours, give no reason (W3 and more). */
const meant = [/the (spec|status) replicas field/, /more than one PodDisruptionBudget/];

async function ask(api: BareApi, { method, path, query, type, accept, body }: Request): Promise<Answer> {
  const leaving = new AbortController();
  const whole = query === '' ? path : `${path}?${query}`;
  const sent = method === 'GET' || method === 'HEAD' ? {} : { body, type };
  const answering = api.raw(method, whole, { ...sent, headers: { accept }, signal: leaving.signal });
  // Some wait for a revision that never comes: their time passes at once.
  const stop = setInterval(() => api.clock.advance(3000 as Parameters<typeof api.clock.advance>[0]), 1);
  const answer = await answering.finally(() => clearInterval(stop));
  let text = '';
  if (answer.body.type === 'text') ({ text } = answer.body);
  if (answer.body.type === 'chunks') text = [...answer.body.chunks].join('');
  if (answer.body.type === 'stream') {
    leaving.abort();
    for await (const piece of answer.body.stream) text += piece;
  }
  const parsed =
    text.startsWith('{') &&
    answer.body.type !== 'stream' &&
    answer.headers['content-type'] === 'application/json';
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: parsed ? (JSON.parse(text) as Answer['body']) : { message: text },
  };
}

async function furnished(): Promise<BareApi> {
  const api = await openApi();
  await readyForPods(api);
  await defineWidgets(api, undefined, {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
  });
  await api.create(configMaps, configMap('a', { data: { a: 'b' } }, { finalizers: ['example.com/f'] }));
  await api.create(pods, pod('a'));
  await api.create(deployments, deployment('a'));
  await api.create(widgets, widget('a', { spec: { n: 1 } }));
  return api;
}

test('any request gets a valid answer and the server keeps working', { timeout: 20_000 }, async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  try {
    await using api = await furnished();
    await fc.assert(
      fc.asyncProperty(request, async (each) => {
        const { status, body: answered, text } = await ask(api, each);
        expect(Number.isInteger(status)).toBe(true);
        if (textAt(answered, 'reason') === 'InternalError') {
          const message = textAt(answered, 'message') ?? '';
          expect([message, meant.some((known) => known.test(message))]).toEqual([message, true]);
        }
        if (status >= 400 && text.startsWith('{'))
          expect(answered).toMatchObject({ kind: 'Status', code: status });
        expect(api.problems).toEqual([]);
      }),
      { numRuns: 4000, interruptAfterTimeLimit: 4000 },
    );
    expect((await api.get('/readyz')).text).toBe('ok');
    expect((await api.get(configMaps)).status).toBe(200);
    expect(rejections).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
