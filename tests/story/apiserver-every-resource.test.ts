import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { block, body, int, text, type Bytes } from '#embedded/kinds/protobuf/testing/build.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import { sampleNamespace, samples } from '../support/one-of-each.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  definitions,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const buoys = '/apis/example.com/v1/buoys';
const otherHome = '/api/v1/namespaces/other';

const buoy = (name: string): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Buoy',
  metadata: { name },
});

/** Widgets are namespaced, buoys are not. */
async function defineKinds(api: BareApi): Promise<void> {
  await defineWidgets(api);
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await api.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'buoys.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'buoys', singular: 'buoy', kind: 'Buoy', listKind: 'BuoyList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await api.embedded.server.settled();
}

/** Two namespaces, and at least two objects of every kind that can be listed. */
async function fillWithSamples(api: BareApi): Promise<void> {
  await defineKinds(api);
  for (const name of [sampleNamespace, 'other']) {
    await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await api.create(`/api/v1/namespaces/${name}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    });
    await api.create(`/apis/example.com/v1/namespaces/${name}/widgets`, widget('w'));
    await api.create(buoys, buoy(name));
  }
  for (const { path, object } of samples) {
    for (const name of ['one-of-each', 'two-of-each']) {
      const metadata = { ...object.metadata, name };
      await api.create(path, { ...object, kind: await kindAt(api, path), metadata });
    }
  }
  await api.create(`${otherHome}/configmaps`, configMap('elsewhere'));
}

async function kindAt(api: BareApi, path: string): Promise<string> {
  const list = textAt((await api.get(path)).body, 'kind') ?? '';
  return list.replace(/List$/, '');
}

type Served = { readonly base: string; readonly plural: string; readonly namespaced: boolean };

/** What discovery names as listable, in every version. */
async function listable(api: BareApi): Promise<readonly Served[]> {
  const groups = listAt((await api.get('/apis')).body, 'groups');
  const versions = groups.flatMap((group) =>
    listAt(group, 'versions').map((each) => `/apis/${textAt(each, 'groupVersion')}`),
  );
  const found: Served[] = [];
  for (const base of ['/api/v1', ...versions]) {
    for (const each of listAt((await api.get(base)).body, 'resources')) {
      if (!listAt(each, 'verbs').includes('list')) continue;
      const namespaced = (each as JsonObject)['namespaced'] === true;
      found.push({ base, plural: textAt(each, 'name') ?? '', namespaced });
    }
  }
  return found;
}

const placeOf = (item: Json): string =>
  `${textAt(item, 'metadata', 'namespace') ?? ''}/${textAt(item, 'metadata', 'name')}`;

/** Follows continue tokens to the end; a refusal ends it and stands in the place of the rest. */
async function readPages(api: BareApi, path: string): Promise<readonly string[]> {
  const seen: string[] = [];
  let token = '';
  do {
    const page: Answer = await api.get(`${path}?limit=1&continue=${token}`);
    if (page.status !== 200) return [...seen, refusalOf(page)];
    seen.push(...listAt(page.body, 'items').map(placeOf));
    token = textAt(page.body, 'metadata', 'continue') ?? '';
  } while (token !== '');
  return seen;
}

test('every served resource can be read in pages of one, in one namespace and in all', async () => {
  await using api = await openApi();
  await fillWithSamples(api);
  const resources = await listable(api);
  expect(resources.length).toBeGreaterThan(samples.length);
  for (const { base, plural, namespaced } of resources) {
    const within = namespaced ? [`${base}/namespaces/${sampleNamespace}/${plural}`] : [];
    for (const path of [`${base}/${plural}`, ...within]) {
      const whole = listAt((await api.get(path)).body, 'items').map(placeOf);
      expect([path, await readPages(api, path)]).toEqual([path, whole]);
    }
  }
});

test('pages of a cluster-scoped list are of one revision, and continue when that revision is compacted', async () => {
  await using api = await openApi({ history: { age: 0, atLeast: 10, atMost: 20, bytes: 64_000_000 } });
  await defineKinds(api);
  for (const name of ['a', 'b', 'd']) await api.create(buoys, buoy(name));
  const first = await api.get(`${buoys}?limit=1`);
  const token = textAt(first.body, 'metadata', 'continue') ?? '';
  await api.create(buoys, buoy('c'));
  await api.send('DELETE', `${buoys}/b`);
  const second = await api.get(`${buoys}?limit=5&continue=${token}`);
  expect(listAt(second.body, 'items').map(placeOf)).toEqual(['/b', '/d']);
  for (let i = 0; i < 60; i += 1) await api.create(configMaps, configMap(`m${i}`));
  await api.embedded.server.settled();
  const late = await api.get(`${buoys}?limit=5&continue=${token}`);
  expect(late.status).toBe(410);
  const next = textAt(late.body, 'metadata', 'continue') ?? '';
  expect(listAt((await api.get(`${buoys}?continue=${next}`)).body, 'items').map(placeOf)).toEqual([
    '/c',
    '/d',
  ]);
});

/** DeleteOptions in the envelope that client-go gives them: the group and version of the client. */
const options = (apiVersion: string, ...fields: readonly Bytes[]): Uint8Array =>
  body(apiVersion, 'DeleteOptions', ...fields);

test('typed Go clients delete objects and collections of every group', async () => {
  await using api = await openApi();
  await fillWithSamples(api);
  await api.create(widgets, widget('one-of-each'));
  const paths = [...samples.map(({ path }) => path), buoys, widgets];
  for (const path of paths) {
    const group = /^\/apis\/([^/]+\/[^/]+)/.exec(path)?.[1] ?? 'v1';
    const [name = ''] = listAt((await api.get(path)).body, 'items').map((item) =>
      textAt(item, 'metadata', 'name'),
    );
    const gone = await api.send('DELETE', `${path}/${name}`, {
      type: protobuf,
      body: options(group, int(1, 0), text(4, 'Background')),
    });
    expect([path, gone.status, gone.text]).toEqual([path, 200, expect.any(String)]);
    const cleared = await api.send('DELETE', path, { type: protobuf, body: options(group, int(1, 0)) });
    expect([path, cleared.status]).toEqual([path, 200]);
    // Claims and volumes stay until a controller takes their finalizer away.
    const left = listAt((await api.get(path)).body, 'items').filter(
      (item) => textAt(item, 'metadata', 'deletionTimestamp') === undefined,
    );
    expect([path, left]).toEqual([path, []]);
  }
});

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const lease = (name: string): JsonObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
});

test.for(['v1', 'meta.k8s.io/v1', 'coordination.k8s.io/v1', 'policy/v1', 'example.com/v1', ''])(
  'DeleteOptions of version "%s" count in protobuf, JSON and YAML',
  async (apiVersion) => {
    await using api = await openApi();
    const forms = {
      [protobuf]: options(apiVersion, text(5, 'All')),
      'application/json': { kind: 'DeleteOptions', apiVersion, dryRun: ['All'] },
      'application/yaml': `kind: DeleteOptions\napiVersion: "${apiVersion}"\ndryRun: [All]\n`,
    };
    await api.create(leases, lease('a'));
    for (const [type, sent] of Object.entries(forms)) {
      const answer = await api.send('DELETE', `${leases}/a`, { type, body: sent });
      expect([type, refusalOf(answer)]).toEqual([type, '200 -: ']);
      expect((await api.get(`${leases}/a`)).status).toBe(200);
    }
  },
);

test('preconditions of protobuf DeleteOptions are checked', async () => {
  await using api = await openApi();
  await api.create(leases, lease('a'));
  const sent = options('coordination.k8s.io/v1', block(2, text(1, 'another-uid')));
  const answer = await api.send('DELETE', `${leases}/a`, { type: protobuf, body: sent });
  expect(answer.status).toBe(409);
});

test('a body of another kind is no DeleteOptions', async () => {
  await using api = await openApi();
  await api.create(leases, lease('a'));
  const sent = body('coordination.k8s.io/v1', 'Lease');
  const answer = await api.send('DELETE', `${leases}/a`, { type: protobuf, body: sent });
  expect(answer.status).toBe(400);
  expect((await api.get(`${leases}/a`)).status).toBe(200);
});

const olderProtobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

test.for<readonly [accept: string, status: number, type: RegExp]>([
  ['application/json', 200, /^application\/json$/],
  ['*/*', 200, /^application\/json$/],
  ['', 200, /^application\/json$/],
  ['application/json;q=0.5, application/xml', 200, /^application\/json$/],
  [olderProtobuf, 200, /protobuf$/],
  [`application/json;q=0.5,${olderProtobuf}`, 200, /protobuf$/],
  ['application/xml', 406, /^application\/json$/],
])('OpenAPI v2 for "%s" is %i', async ([accept, status, type]) => {
  await using api = await openApi();
  const answer = await api.get('/openapi/v2', accept);
  expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringMatching(type)]);
});

test('OpenAPI v2 as JSON describes every served kind, and every reference leads to a definition', async () => {
  await using api = await openApi();
  const before = await api.get('/openapi/v2');
  await defineKinds(api);
  const { body: document, headers, text: whole } = await api.get('/openapi/v2');
  expect(headers['etag']).not.toBe(before.headers['etag']);
  const definitions = objectAt(document, 'definitions') ?? {};
  const paths = objectAt(document, 'paths') ?? {};
  for (const { base, plural, namespaced } of await listable(api)) {
    const scope = namespaced ? 'namespaces/{namespace}/' : '';
    const list = objectAt(paths, `${base}/${scope}${plural}`, 'get', 'responses', '200', 'schema');
    expect([base, plural, textAt(list, '$ref')]).toEqual([base, plural, expect.any(String)]);
  }
  const references = new Set(
    [...whole.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].map(([, name]) => name),
  );
  expect([...references].filter((name) => name === undefined || !Object.hasOwn(definitions, name))).toEqual(
    [],
  );
  expect(whole).not.toContain('#/components/');
  expect(Object.keys(definitions)).toContain('com.example.v1.Buoy');
});
