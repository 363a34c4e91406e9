import { expect, test } from 'vitest';
import { at, listAt, textAt, type JsonObject } from '#base/json.ts';
import { openApi, type BareApi } from '../support/bare-api.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  definitions,
  namesIn,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const crd = `${definitions}/widgets.example.com`;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const schema = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});

test('a definition becomes established, with a condition', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  const { body } = await api.get(crd);
  expect(
    listAt(body, 'status', 'conditions').map(
      (each) =>
        `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}: ${textAt(each, 'message')}`,
    ),
  ).toEqual([
    'NamesAccepted True NoConflicts: no conflicts found',
    'Established True InitialNamesAccepted: the initial names have been accepted',
  ]);
  expect(body).toMatchObject({
    spec: { conversion: { strategy: 'None' } },
    status: {
      acceptedNames: { plural: 'widgets', kind: 'Widget', listKind: 'WidgetList' },
      storedVersions: ['v1'],
    },
  });
});

const gadgets: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Widget', listKind: 'GadgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

test('names that are taken are not served twice', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(definitions, gadgets);
  await api.embedded.server.settled();
  const conditions = listAt(
    (await api.get(`${definitions}/gadgets.example.com`)).body,
    'status',
    'conditions',
  );
  expect(
    conditions.map((each) => `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}`),
  ).toEqual(['NamesAccepted False KindConflict', 'Established False NotAccepted']);
  expect((await api.get('/apis/example.com/v1/namespaces/default/gadgets')).status).toBe(404);
});

test('names that become free are served', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(definitions, gadgets);
  await api.embedded.server.settled();
  await api.send('DELETE', crd);
  await api.embedded.server.settled();
  expect((await api.get('/apis/example.com/v1/namespaces/default/gadgets')).status).toBe(200);
});

async function twoVersions(api: BareApi): Promise<void> {
  const open = { schema: { openAPIV3Schema: schema({ a: { type: 'string' } }) } };
  await api.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: false,
          deprecated: true,
          deprecationWarning: 'use v1',
          ...open,
        },
        { name: 'v1', served: true, storage: true, ...open },
        { name: 'v1alpha1', served: false, storage: false, ...open },
      ],
    },
  });
  await api.embedded.server.settled();
}

test('versions are the same objects under other names', async () => {
  await using api = await openApi();
  await twoVersions(api);
  const beta = '/apis/example.com/v1beta1/namespaces/default/widgets';
  expect((await api.get('/apis/example.com')).body).toMatchObject({
    versions: [{ version: 'v1' }, { version: 'v1beta1' }],
    preferredVersion: { version: 'v1' },
  });
  const made = await api.send('POST', beta, {
    body: { ...widget('a', { spec: { a: 'x', gone: 1 } }), apiVersion: 'example.com/v1beta1' },
  });
  expect([made.status, made.body['spec']]).toEqual([201, { a: 'x' }]);
  expect(made.headers['warning']).toEqual([
    '299 - "use v1"',
    String.raw`299 - "unknown field \"spec.gone\""`,
  ]);
  expect((await api.get(`${widgets}/a`)).body['apiVersion']).toBe('example.com/v1');
  await api.patch(`${widgets}/a`, 'merge', { spec: { a: 'z' } });
  expect((await api.get(`${beta}/a`)).body).toMatchObject({
    apiVersion: 'example.com/v1beta1',
    spec: { a: 'z' },
  });
  expect(at(listAt((await api.get(beta)).body, 'items')[0], 'apiVersion')).toBe('example.com/v1beta1');
  expect(refusalOf(await api.get('/apis/example.com/v1alpha1/namespaces/default/widgets'))).toBe(
    '404 -: 404 page not found\n',
  );
  await using watch = await api.watch(`${beta}?watch=1`);
  expect((await watch.next())?.object['apiVersion']).toBe('example.com/v1beta1');
});

test('defaults are filled on writing and on reading, and what is unknown is dropped', async () => {
  await using api = await openApi();
  await defineWidgets(api, schema({ a: { type: 'string' } }));
  await api.create(widgets, widget('old', { spec: { a: 'x', b: 1 } }));
  const path = '/spec/versions/0/schema/openAPIV3Schema';
  const value = schema({ a: { type: 'string', maxLength: 3 }, b: { type: 'integer', default: 4 } });
  await api.patch(crd, 'json', [{ op: 'replace', path, value }]);
  await api.embedded.server.settled();
  expect((await api.get(`${widgets}/old`)).body['spec']).toEqual({ a: 'x', b: 4 });
  expect(refusalOf(await api.send('POST', widgets, { body: widget('new', { spec: { a: 'long' } }) }))).toBe(
    '422 Invalid: Widget.example.com "new" is invalid: spec.a: Too long: may not be more than 3 bytes',
  );
  expect((await api.create(widgets, widget('fine', { spec: {} })))['spec']).toEqual({ b: 4 });
});

test('columns are those of the definition', async () => {
  await using api = await openApi();
  await defineWidgets(api, undefined, {
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'When', type: 'date', jsonPath: '.spec.when' },
      { name: 'Proto', type: 'string', jsonPath: '.constructor', priority: 1 },
    ],
  });
  await api.create(widgets, widget('a', { spec: { size: 3, when: '2025-11-15T12:30:20Z' } }));
  await api.create(widgets, widget('b'));
  const { body } = await api.get(widgets, table);
  expect(
    listAt(body, 'columnDefinitions').map((each) => [
      at(each, 'name'),
      at(each, 'type'),
      at(each, 'priority'),
    ]),
  ).toEqual([
    ['Name', 'string', 0],
    ['Size', 'integer', 0],
    ['When', 'date', 0],
    ['Proto', 'string', 1],
  ]);
  expect(listAt(body, 'rows').map((row) => at(row, 'cells'))).toEqual([
    ['a', 3, '3m', null],
    ['b', null, null, null],
  ]);
});

test('an object comes as a row, with as much of itself as is wanted', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', { data: { k: 'v' } }));
  const included = async (query: string): Promise<unknown> => {
    const { body } = await api.get(`${configMaps}/a?${query}`, table);
    const object = at(listAt(body, 'rows')[0], 'object');
    return object === null ? null : at(object, 'kind');
  };
  expect(await included('')).toBe('PartialObjectMetadata');
  expect(await included('includeObject=Object')).toBe('ConfigMap');
  expect(await included('includeObject=None')).toBeNull();
  expect(refusalOf(await api.get(`${configMaps}/a?includeObject=Bogus`, table))).toBe(
    `400 BadRequest: Unable to convert to Table as requested: includeObject: Invalid value: "Bogus": must be 'Metadata', 'Object', 'None', or empty`,
  );
  const list = await api.get(configMaps, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
  expect(list.body).toMatchObject({
    kind: 'PartialObjectMetadataList',
    items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
  });
  expect((await api.get(`${configMaps}/a`, 'application/yaml')).text).toMatch(
    /^apiVersion: v1\ndata:\n {2}k: v\nkind: ConfigMap\n/,
  );
});

test('objects of the whole cluster have no namespace; listed fields select', async () => {
  await using api = await openApi();
  await api.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'globs.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'globs', singular: 'glob', kind: 'Glob', listKind: 'GlobList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema({ color: { type: 'string' }, n: { type: 'integer' } }) },
          selectableFields: [{ jsonPath: '.spec.color' }],
        },
      ],
    },
  });
  await api.embedded.server.settled();
  const globs = '/apis/example.com/v1/globs';
  for (const [name, color] of Object.entries({ a: 'red', b: 'blue' }))
    await api.create(globs, {
      apiVersion: 'example.com/v1',
      kind: 'Glob',
      metadata: { name },
      spec: { color },
    });
  expect(namesIn(await api.get(`${globs}?fieldSelector=spec.color%3Dred`))).toEqual(['a']);
  expect(refusalOf(await api.get(`${globs}?fieldSelector=spec.n%3D1`))).toBe(
    '400 BadRequest: field label not supported: spec.n',
  );
  expect(refusalOf(await api.get('/apis/example.com/v1/namespaces/default/globs'))).toBe(
    '404 -: 404 page not found\n',
  );
});

test.for(['codereviews', 'bindings'])(
  'a custom kind whose plural is %s is stored like any other',
  async (plural) => {
    await using api = await openApi();
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ];
    await api.create(definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind: 'Thing' }, versions },
    });
    await api.embedded.server.settled();
    const path = `/apis/example.com/v1/namespaces/default/${plural}`;
    await api.create(path, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } });
    expect((await api.get(`${path}/a`)).status).toBe(200);
  },
);
