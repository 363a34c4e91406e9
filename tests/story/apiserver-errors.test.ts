import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { listAt, textAt } from '#base/json.ts';
import { openApi, type Ask } from '../support/bare-api.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  deployments,
  home,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

type Vector = readonly [
  name: string,
  method: string,
  path: string,
  body: Json | Ask | undefined,
  said: string,
];

const json = (body: Json): Ask => ({ body });
const merge = (body: Json): Ask => ({ body, type: 'application/merge-patch+json' });
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
const unhandled = 'in version "v1" cannot be handled as a ConfigMap: ';
const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"';
const unknownFormat =
  '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';
const notAllowed = '405 MethodNotAllowed: the server does not allow this method on the requested resource';
const nameless =
  '422 Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required';
const there = `${configMaps}/there`;

const vectors: readonly Vector[] = [
  [
    'nothing of that name',
    'GET',
    `${configMaps}/nope`,
    undefined,
    '404 NotFound: configmaps "nope" not found',
  ],
  ['in a group', 'GET', `${deployments}/nope`, undefined, '404 NotFound: deployments.apps "nope" not found'],
  ['delete nothing', 'DELETE', `${configMaps}/nope`, undefined, '404 NotFound: configmaps "nope" not found'],
  [
    'update nothing',
    'PUT',
    `${configMaps}/nope`,
    json(configMap('nope')),
    '404 NotFound: configmaps "nope" not found',
  ],
  ['patch nothing', 'PATCH', `${configMaps}/nope`, merge({}), '404 NotFound: configmaps "nope" not found'],
  [
    'no such resource',
    'GET',
    `${home}/bogus`,
    undefined,
    '404 NotFound: the server could not find the requested resource',
  ],
  ['no such group', 'GET', '/apis/bogus.example.com/v1/things', undefined, '404 -: 404 page not found\n'],
  [
    'no such subresource',
    'GET',
    `${there}/status`,
    undefined,
    '404 NotFound: the server could not find the requested resource',
  ],
  ['a log of nothing', 'GET', `${home}/pods/nope/log`, undefined, '404 NotFound: pods "nope" not found'],
  [
    'no namespace',
    'POST',
    '/api/v1/namespaces/zzz/configmaps',
    json(configMap('a')),
    '404 NotFound: namespaces "zzz" not found',
  ],
  ['update a collection', 'PUT', configMaps, json(configMap('a')), notAllowed],
  ['patch a collection', 'PATCH', configMaps, merge({}), notAllowed],
  ['delete all namespaces', 'DELETE', '/api/v1/namespaces', undefined, notAllowed],
  ['post to a name', 'POST', there, json(configMap('there')), notAllowed],
  ['post to discovery', 'POST', '/api/v1', json({}), notAllowed],
  ['list reviews', 'GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', undefined, notAllowed],
  ['a strange method', 'FROB', there, undefined, notAllowed],
  ['write to no namespace', 'POST', '/api/v1/configmaps', json(configMap('a')), notAllowed],
  ['plain text', 'POST', configMaps, { body: 'x', type: 'text/plain' }, unknownFormat],
  ['a bad media type', 'POST', configMaps, { body: 'x', type: ';;bad' }, unknownFormat],
  ['a patch as json', 'PATCH', there, json({}), '415 UnsupportedMediaType: 415: Unsupported Media Type'],
  [
    'not JSON',
    'POST',
    configMaps,
    json('not json'),
    `400 BadRequest: ${unrecognized}couldn't get version/kind; json parse error: invalid character 'o' in literal null (expecting 'u') (6e6f74206a736f6e)`,
  ],
  [
    'half of JSON',
    'PUT',
    there,
    json('{"apiVersion":'),
    `400 BadRequest: ${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":)`,
  ],
  [
    'an empty body',
    'POST',
    configMaps,
    json(''),
    `400 BadRequest: ${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
  ],
  [
    'not YAML',
    'POST',
    configMaps,
    { body: 'a: [', type: 'application/yaml' },
    `400 BadRequest: ${unrecognized}yaml: line 1: did not find expected node content (613a205b)`,
  ],
  ['an object without a name', 'POST', configMaps, json({}), nameless],
  [
    'another kind',
    'POST',
    configMaps,
    json({ apiVersion: 'v1', kind: 'Secret' }),
    `400 BadRequest: Secret ${unhandled}converting (v1.Secret) to (core.ConfigMap): unknown conversion`,
  ],
  [
    'another version',
    'POST',
    configMaps,
    json({ apiVersion: 'apps/v1', kind: 'ConfigMap' }),
    `400 BadRequest: ConfigMap ${unhandled}no kind "ConfigMap" is registered for version "apps/v1" ${scheme}`,
  ],
  [
    'no such kind',
    'POST',
    configMaps,
    json({ apiVersion: 'v1', kind: 'Bogus' }),
    `400 BadRequest: Bogus ${unhandled}no kind "Bogus" is registered for version "v1" ${scheme}`,
  ],
  [
    'a number for a text',
    'POST',
    configMaps,
    json(configMap('a', { data: { x: 1 } })),
    `400 BadRequest: ConfigMap ${unhandled}json: cannot unmarshal number into Go struct field ConfigMap.data of type string`,
  ],
  [
    'a list for a map',
    'POST',
    configMaps,
    json(configMap('a', { data: [] })),
    `400 BadRequest: ConfigMap ${unhandled}json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string`,
  ],
  [
    'another namespace',
    'POST',
    configMaps,
    json(configMap('a', {}, { namespace: 'other' })),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'another name',
    'PUT',
    there,
    json(configMap('b')),
    '400 BadRequest: the name of the object (b) does not match the name on the URL (there)',
  ],
  [
    'a revision on create',
    'POST',
    configMaps,
    json(configMap('a', {}, { resourceVersion: '5' })),
    '500 -: resourceVersion should not be set on objects to be created',
  ],
  [
    'made twice',
    'POST',
    configMaps,
    json(configMap('there')),
    '409 AlreadyExists: configmaps "there" already exists',
  ],
  [
    'a bad timeout',
    'GET',
    `${there}?timeout=abc`,
    undefined,
    '400 BadRequest: invalid timeout specified in the request URL - time: invalid duration "abc"',
  ],
  [
    'a bad limit',
    'GET',
    `${configMaps}?limit=abc`,
    undefined,
    '400 BadRequest: strconv.ParseInt: parsing "abc": invalid syntax',
  ],
  [
    'a bad revision',
    'GET',
    `${there}?resourceVersion=-1`,
    undefined,
    '500 -: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
  ],
  [
    'nothing acceptable',
    'GET',
    configMaps,
    { headers: { accept: 'text/html' } },
    '406 NotAcceptable: 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
  ],
  [
    'a list as one object',
    'GET',
    configMaps,
    { headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } },
    '406 NotAcceptable: you requested PartialObjectMetadata, but the requested object is a list (*v1.ConfigMapList)',
  ],
  [
    'too much',
    'POST',
    configMaps,
    json(' '.repeat(3_145_729)),
    '413 RequestEntityTooLarge: Request entity too large: limit is 3145728',
  ],
  [
    'too much data',
    'POST',
    configMaps,
    json(configMap('a', { data: { a: 'x'.repeat(1_048_577) } })),
    '422 Invalid: ConfigMap "a" is invalid: []: Too long: may not be more than 1048576 bytes',
  ],
];

test('every refusal is the Status a real server gives', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('there'));
  const { revision } = api.embedded.server.context.store;
  for (const [name, method, path, ask, said] of vectors) {
    const answer = await api.send(method, path, ask as Ask | undefined);
    expect(`${name}: ${refusalOf(answer)}`).toBe(`${name}: ${said}`);
    if (answer.body['kind'] === 'Status') expect(answer.body['code']).toBe(answer.status);
  }
  expect(api.embedded.server.context.store.revision).toBe(revision);
  expect(api.problems).toEqual([]);
});

test('a Status has its whole shape (§1.9)', async () => {
  await using api = await openApi();
  const { body } = await api.send('POST', configMaps, { body: configMap('E_1') });
  expect(body).toMatchObject({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'Invalid',
    details: {
      name: 'E_1',
      kind: 'ConfigMap',
      causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }],
    },
    code: 422,
  });
  expect(Object.keys(body)).toEqual([
    'kind',
    'apiVersion',
    'metadata',
    'status',
    'message',
    'reason',
    'details',
    'code',
  ]);
});

test('custom objects have their kind and version', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  const said = async (body: Json, type?: string): Promise<string> =>
    refusalOf(await api.send('POST', widgets, { body, ...(type === undefined ? {} : { type }) }));
  expect(await said({ ...widget('a'), apiVersion: 'example.com/v2' })).toBe(
    '400 BadRequest: the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
  );
  expect(await said({ ...widget('a'), kind: 'Gadget' })).toBe(
    '400 BadRequest: the kind in the data (Gadget) does not match the expected kind (Widget)',
  );
  expect(await said(widget('a'), 'application/vnd.kubernetes.protobuf')).toBe(
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
  );
});

test('every answer is dated to one request and not to be kept', async () => {
  await using api = await openApi();
  const [first, second] = [await api.get(configMaps), await api.get(configMaps)];
  expect(first.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
  });
  expect(first.headers['audit-id']).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(second.headers['audit-id']).not.toBe(first.headers['audit-id']);
});

test('health and version are plain', async () => {
  await using api = await openApi();
  await api.embedded.ready;
  for (const path of ['/healthz', '/livez', '/readyz', '/readyz/ping'])
    expect((await api.get(path)).text).toBe('ok');
  expect((await api.get('/readyz?verbose')).text).toMatch(/^\[\+\]ping ok\n[^]*check passed\n$/);
  expect(refusalOf(await api.get('/readyz/nope'))).toBe('404 -: 404 page not found\n');
  expect(refusalOf(await api.send('POST', '/version'))).toBe(notAllowed);
  expect((await api.get('/version')).body).toMatchObject({
    major: '1',
    minor: '32',
    gitVersion: expect.stringMatching(/^v1\.32\./) as string,
  });
});

test('discovery has the same content in both forms', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const aggregated = new Set<string>();
  for (const path of ['/api', '/apis']) {
    const answer = await api.get(path, accept);
    expect(answer.body['kind']).toBe('APIGroupDiscoveryList');
    for (const group of listAt(answer.body, 'items')) {
      for (const version of listAt(group, 'versions')) {
        expect(textAt(version, 'freshness')).toBe('Current');
        for (const each of listAt(version, 'resources'))
          aggregated.add(
            `${textAt(group, 'metadata', 'name') ?? ''}/${textAt(version, 'version')}/${textAt(each, 'resource')}`,
          );
      }
    }
    const again = await api.send('GET', path, {
      headers: { accept, 'if-none-match': String(answer.headers['etag']) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  }
  const legacy = new Set<string>();
  const groups = listAt((await api.get('/apis')).body, 'groups');
  const versions = groups.flatMap((group) =>
    listAt(group, 'versions').map((each) => textAt(each, 'groupVersion') ?? ''),
  );
  for (const groupVersion of ['v1', ...versions]) {
    const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    for (const each of listAt((await api.get(path)).body, 'resources')) {
      const name = textAt(each, 'name') ?? '';
      if (!name.includes('/')) legacy.add(`${groupVersion === 'v1' ? '/v1' : groupVersion}/${name}`);
    }
  }
  expect([...legacy].sort()).toEqual([...aggregated].sort());
  expect(legacy.has('example.com/v1/widgets')).toBe(true);
  expect(refusalOf(await api.get('/apis/nope.example.com'))).toBe('404 -: 404 page not found\n');
  expect(refusalOf(await api.get('/apis/apps/v9'))).toBe(
    '404 NotFound: the server could not find the requested resource',
  );
});

test('short names are as everybody types them', async () => {
  await using api = await openApi();
  const short = new Map<string, string>();
  for (const path of [
    '/api/v1',
    '/apis/apps/v1',
    '/apis/batch/v1',
    '/apis/policy/v1',
    '/apis/networking.k8s.io/v1',
    '/apis/apiextensions.k8s.io/v1',
  ]) {
    for (const each of listAt((await api.get(path)).body, 'resources'))
      for (const name of listAt(each, 'shortNames'))
        short.set(textAt({ name }, 'name') ?? '', textAt(each, 'name') ?? '');
  }
  expect(Object.fromEntries(short)).toMatchObject({
    po: 'pods',
    svc: 'services',
    cm: 'configmaps',
    ns: 'namespaces',
    no: 'nodes',
    deploy: 'deployments',
    rs: 'replicasets',
    sts: 'statefulsets',
    ds: 'daemonsets',
    ev: 'events',
    sa: 'serviceaccounts',
    pvc: 'persistentvolumeclaims',
    pv: 'persistentvolumes',
    crd: 'customresourcedefinitions',
    ep: 'endpoints',
    netpol: 'networkpolicies',
    ing: 'ingresses',
    pdb: 'poddisruptionbudgets',
    cj: 'cronjobs',
    quota: 'resourcequotas',
    limits: 'limitranges',
  });
});

test('OpenAPI documents are indexed, tagged and found by their hash', async () => {
  await using api = await openApi();
  const { body } = await api.get('/openapi/v3');
  const url = textAt(body, 'paths', 'api/v1', 'serverRelativeURL') ?? '';
  expect(url).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]+$/);
  const document = await api.get(url);
  expect(document.body).toMatchObject({ openapi: '3.0.0', components: { schemas: {} }, paths: {} });
  expect(document.headers['cache-control']).toContain('immutable');
  const wrong = await api.get('/openapi/v3/api/v1?hash=0');
  expect([wrong.status, wrong.headers['location']]).toEqual([301, url]);
  const kept = await api.send('GET', url, { headers: { 'if-none-match': String(document.headers['etag']) } });
  expect([kept.status, kept.text]).toEqual([304, '']);
});
