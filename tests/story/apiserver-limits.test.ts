import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { openApi, type BareApi } from '../support/bare-api.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const sets = '/apis/apps/v1/namespaces/default/replicasets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const many = <Item>(count: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i));

const configMap = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...more,
});

const definition = (properties: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lists.limits.example.com' },
  spec: {
    group: 'limits.example.com',
    scope: 'Namespaced',
    names: { plural: 'lists', singular: 'list', kind: 'List', listKind: 'ListList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties } },
      },
    ],
  },
});

const replicaSet = (pod: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: pod },
  },
});

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b', controller: true };
const longName = 'k'.repeat(1_000_000);

type Attack = { readonly name: string; readonly path: string; readonly body: JsonObject };

const attacks: readonly Attack[] = [
  {
    name: 'thousands of owners that are all the controller',
    path: maps,
    body: configMap({ ownerReferences: many(5000, () => owner) }),
  },
  {
    name: 'labels that are all wrong',
    path: maps,
    body: configMap({ labels: Object.fromEntries(many(90_000, (i) => [`!${i}`, '!'])) }),
  },
  {
    name: 'empty containers and volumes',
    path: sets,
    body: replicaSet({ containers: many(20_000, () => ({})), volumes: many(20_000, () => ({})) }),
  },
  {
    name: 'a million empty containers',
    path: sets,
    body: replicaSet({ containers: many(1_000_000, () => ({})) }),
  },
  {
    name: 'wrong schemas below a property with a name of a megabyte',
    path: definitions,
    body: definition({
      [longName]: { type: 'object', properties: Object.fromEntries(many(2000, (i) => [`p${i}`, {}])) },
    }),
  },
  {
    name: 'unknown fields below a property with a name of a megabyte',
    path: `${definitions}?fieldValidation=Strict`,
    body: definition({
      [longName]: { type: 'object', ...Object.fromEntries(many(2000, (i) => [`unknown${i}`, {}])) },
    }),
  },
];

test.for(attacks)('a small request costs little and gets a short answer: $name', async ({ path, body }) => {
  await using api = await openApi();
  const before = process.cpuUsage();
  const answer = await api.send('POST', path, { body });
  const { user, system } = process.cpuUsage(before);
  expect([400, 422]).toContain(answer.status);
  expect(answer.text.length).toBeLessThan(512 * 1024);
  expect((user + system) / 1e6).toBeLessThan(8);
  expect(api.problems).toEqual([]);
});

test('of many errors the first hundred are shown, and the number of the others', async () => {
  await using api = await openApi();
  const labels = Object.fromEntries(many(300, (i) => [`!${i}`, 'fine']));
  const { status, body } = await api.send('POST', maps, { body: configMap({ labels }) });
  expect(status).toBe(422);
  expect(body['message']).toMatch(/, and 200 more\]$/);
  expect(body).toMatchObject({ details: { causes: { length: 100 } } });
});

/** Items with a default of four kilobytes each. */
const generous: JsonObject = {
  spec: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', properties: { note: { type: 'string', default: 'x'.repeat(4000) } } },
      },
    },
  },
};

const plainItems: JsonObject = {
  spec: {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { note: { type: 'string' } } } },
    },
  },
};

const lists = '/apis/limits.example.com/v1/namespaces/default/lists';
const list = (count: number): JsonObject => ({
  apiVersion: 'limits.example.com/v1',
  kind: 'List',
  metadata: { name: 'a' },
  spec: { items: many(count, () => ({})) },
});

async function define(api: BareApi, properties: JsonObject): Promise<void> {
  await api.create(definitions, definition(properties));
  await api.embedded.server.settled();
}

test('defaults of list items cannot make an object of gigabytes', async () => {
  await using api = await openApi();
  await define(api, generous);
  const refused = await api.send('POST', lists, { body: list(100_000) });
  expect(refused.status).toBe(400);
  expect(refused.body['message']).toContain(
    'the defaults of the schema would add more than 4194304 characters',
  );
  expect((await api.get(`${lists}/a`)).status).toBe(404);
  expect((await api.send('POST', lists, { body: list(100) })).text.length).toBeGreaterThan(400_000);
});

test('what was stored before its definition got such defaults can still be read', async () => {
  await using api = await openApi();
  await define(api, plainItems);
  await api.create(lists, list(100_000));
  await api.patch(`${definitions}/lists.limits.example.com`, 'json', [
    {
      op: 'replace',
      path: '/spec/versions/0/schema/openAPIV3Schema/properties',
      value: generous,
    },
  ]);
  await api.embedded.server.settled();
  const read = await api.get(`${lists}/a`);
  expect(read.status).toBe(200);
  expect(read.body).toMatchObject({ spec: { items: { length: 100_000 } } });
});

test('an object does not grow without end, one patch after the other', async () => {
  await using api = await openApi();
  await define(api, { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } });
  await api.create(lists, { ...list(0), spec: {} });
  const grow = (key: string): ReturnType<BareApi['patch']> =>
    api.patch(`${lists}/a`, 'merge', { spec: { [key]: 'x'.repeat(1_500_000) } });
  expect((await grow('a')).status).toBe(200);
  expect((await grow('b')).status).toBe(200);
  const refused = await grow('c');
  expect(refused.status).toBe(413);
  expect(refused.body).toMatchObject({ reason: 'RequestEntityTooLarge' });
  expect(Object.keys((await api.get(`${lists}/a`)).body['spec'] as JsonObject)).toEqual(['a', 'b']);
});
