import { expect, test } from 'vitest';
import { at, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { JournalWriteRefused } from '#base/journal.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { openApi, type Answer, type BareApi } from '../support/bare-api.ts';
import {
  configMap,
  configMaps,
  defineWidgets,
  definitions,
  home,
  namesIn,
  refusalOf,
  widget,
  widgets,
} from '../support/story-objects.ts';

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const own = (text: string): JsonObject => JSON.parse(text) as JsonObject;

/** Nothing may have changed, and nothing may have been reported. */
async function unmoved(api: BareApi, act: () => Promise<void>): Promise<void> {
  const { store } = api.embedded.server.context;
  const { revision } = store;
  const before = (await api.get('/api/v1/configmaps')).text;
  await act();
  expect(store.revision).toBe(revision);
  expect((await api.get('/api/v1/configmaps')).text).toBe(before);
  expect(api.problems).toEqual([]);
}

const hostileBodies: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '1e999',
  '"x"',
  '[]',
  '{',
  '{"metadata":{"name":"a"}',
  '{"metadata":{"name":"a"}}}',
  '{"metadata":"x"}',
  '{"metadata":{"name":5}}',
  '{"metadata":{"name":{}}}',
  '{"metadata":{"name":"a\\u0000b"}}',
  '{"metadata":{"name":"\\ud800"}}',
  '{"metadata":{"name":"../x"}}',
  '{"metadata":{"name":"__proto__"}}',
  '{"metadata":{"name":"a","labels":{"__proto__":"x"}}}',
  '{"metadata":{"name":"a","annotations":{"__proto__":"x"}}}',
  '{"metadata":{"name":"a","finalizers":["__proto__"]}}',
  '{"metadata":{"name":"a","ownerReferences":[{}]}}',
  '{"metadata":{"name":"a","creationTimestamp":"x"}}',
  '{"metadata":{"name":"a"},"data":{"a/b":"x"}}',
  '{"metadata":{"name":"a"},"data":{"a":null,"b":{}}}',
  '{"metadata":{"name":"a"},"binaryData":{"a":"%%%"}}',
  '{"metadata":{"name":"a"},"immutable":"yes"}',
  `{"metadata":{"name":"a"},"data":${nested(600)}}`,
  `{"metadata":{"name":"a"},"x":${'['.repeat(200_000)}`,
  '{"kind":{"a":1},"apiVersion":[],"metadata":{"name":"a"},"data":5}',
];

test('a hostile body is refused whole, in any form', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('there'));
  await unmoved(api, async () => {
    for (const body of hostileBodies) {
      for (const type of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']) {
        const { status } = await api.send('POST', configMaps, { body, type });
        expect([type, body.slice(0, 60), status]).toEqual([
          type,
          body.slice(0, 60),
          expect.toSatisfy((code: number) => code >= 400 && code < 500),
        ]);
      }
    }
  });
});

const hostilePatches: readonly (readonly [type: 'json' | 'merge' | 'strategic' | 'apply', body: string])[] = [
  ['json', '[{"op":"add","path":"/data"}]'],
  ['json', '[{"op":"add","path":"data","value":1}]'],
  ['json', '[{"op":"add","path":"/data/~2","value":"x"}]'],
  ['json', '[{"op":"copy","from":"/","path":"/data/x"}]'],
  ['json', '[{"op":"move","from":"/data","path":"/data/x"}]'],
  ['json', '[{"op":"remove","path":""}]'],
  ['json', '[{"op":"replace","path":"","value":null}]'],
  ['json', '[{"op":"add","path":"/__proto__/x","value":1}]'],
  ['json', '[{"op":"add","path":"/metadata/finalizers/-1","value":"a/b"}]'],
  ['json', '[{"op":"add","path":"/metadata/finalizers/99999999999999999999","value":"a/b"}]'],
  ['json', '[null]'],
  ['json', '[[]]'],
  ['json', '[{"op":5}]'],
  ['json', `[{"op":"add","path":"/data","value":${nested(600)}}]`],
  ['merge', '5'],
  ['merge', '{"metadata":{"labels":"x"}}'],
  ['merge', '{"metadata":{"managedFields":"x"}}'],
  ['merge', '{"kind":null}'],
  ['merge', '{"apiVersion":{"a":1}}'],
  ['merge', `{"data":${nested(600)}}`],
  ['strategic', '{"metadata":{"finalizers":[{"$patch":"bogus"}]}}'],
  ['strategic', '[]'],
  ['apply', ''],
  ['apply', 'a: [b'],
  ['apply', '- a'],
  ['apply', '{"apiVersion":5,"kind":{}}'],
  ['apply', `apiVersion: v1\nkind: ConfigMap\ndata: ${'['.repeat(600)}`],
];

test('a hostile patch is refused whole', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('there', { data: { x: '1' } }));
  await unmoved(api, async () => {
    for (const [type, body] of hostilePatches) {
      const { status } = await api.patch(`${configMaps}/there?fieldManager=m`, type, body);
      expect([type, body.slice(0, 70), status]).toEqual([
        type,
        body.slice(0, 70),
        expect.toSatisfy((code: number) => code >= 400 && code < 500),
      ]);
    }
  });
});

test('names that objects inherit are names like others', async () => {
  await using api = await openApi();
  const data = own('{"__proto__":"a","constructor":"b","hasOwnProperty":"c"}');
  await api.create(configMaps, configMap('a', { data }, { labels: { constructor: 'x' } }));
  expect(JSON.stringify((await api.get(`${configMaps}/a`)).body['data'])).toBe(JSON.stringify(data));
  for (const [at, type] of (['merge', 'strategic'] as const).entries()) {
    const answer = await api.patch(`${configMaps}/a`, type, `{"data":{"__proto__":"new ${at}"}}`);
    expect(Object.getOwnPropertyDescriptor(answer.body['data'], '__proto__')?.value).toBe(`new ${at}`);
  }
  const applied = await api.patch(
    `${configMaps}/b?fieldManager=m`,
    'apply',
    `{"apiVersion":"v1","kind":"ConfigMap","data":{"__proto__":"z","toString":"y"}}`,
  );
  expect(Object.keys(objectAt(applied.body, 'data') ?? {}).sort()).toEqual(['__proto__', 'toString']);
  const dropped = await api.patch(
    `${configMaps}/b?fieldManager=m`,
    'apply',
    `{"apiVersion":"v1","kind":"ConfigMap","data":{"toString":"y"}}`,
  );
  expect(Object.keys(objectAt(dropped.body, 'data') ?? {})).toEqual(['toString']);
  expect(namesIn(await api.get(`${configMaps}?labelSelector=constructor%3Dx`))).toEqual(['a']);
  expect(namesIn(await api.get(`${configMaps}?labelSelector=toString`))).toEqual([]);
  expect(namesIn(await api.get(`${configMaps}?labelSelector=!constructor`))).toEqual(['b']);
  expect((await api.get(`${configMaps}?fieldSelector=__proto__%3Dx`)).status).toBe(400);
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  expect(api.problems).toEqual([]);
});

test('names that objects inherit are fields of custom objects like others', async () => {
  await using api = await openApi();
  await defineWidgets(
    api,
    own(
      '{"type":"object","properties":{"__proto__":{"type":"string","default":"d"},"constructor":{"type":"object","properties":{"a":{"type":"string"}}}}}',
    ),
  );
  const made = await api.send('POST', widgets, {
    body: '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"constructor":{"a":"x","b":1},"toString":1}',
  });
  expect(made.status).toBe(201);
  expect(Object.getOwnPropertyDescriptor(made.body, '__proto__')?.value).toBe('d');
  expect(made.body['constructor']).toEqual({ a: 'x' });
  expect(Object.hasOwn(made.body, 'toString')).toBe(false);
});

const strangePaths = [
  '/api/v1/namespaces/default/configmaps/%00',
  '/api/v1/namespaces/default/configmaps/%2e%2e',
  '/api/v1/namespaces/default/configmaps/a%2Fb',
  '/api/v1/namespaces/default%2Fconfigmaps/there',
  '/api/v1/namespaces/%00/configmaps/there',
  '/api/v1/namespaces/default/configmaps/%zz',
  '/api/v1/namespaces/default/configmaps/%E2%82',
  '/api/v1/namespaces/default/configmaps/../configmaps/there',
  '/api/v1/__proto__',
  '/api/__proto__/pods',
  '/apis/__proto__/v1/x',
  '/apis/constructor',
  '/apis/apps/constructor',
  '/readyz/constructor',
  '/openapi/v3/constructor',
  '/openapi/v3/__proto__/x',
  `${configMaps}/there/constructor`,
  `${configMaps}/there/__proto__`,
  '/toString',
  '/',
  '',
  '*',
];

test('a strange path leads nowhere', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('there'));
  await unmoved(api, async () => {
    for (const path of strangePaths) {
      for (const method of ['GET', 'DELETE', 'PUT'])
        expect([method, path, (await api.send(method, path, { body: '{}' })).status]).toEqual([
          method,
          path,
          expect.toSatisfy((code: number) => code >= 400 && code < 500),
        ]);
    }
  });
});

test.for(['constructor', '__proto__', 'Constructor', '__proto__;x=y'])(
  'the media type %s is unknown',
  async (type) => {
    await using api = await openApi();
    await api.create(configMaps, configMap('there'));
    expect((await api.send('POST', configMaps, { body: configMap('a'), type })).status).toBe(415);
    expect((await api.send('PATCH', `${configMaps}/there`, { body: {}, type })).status).toBe(415);
  },
);

const badMeta: readonly JsonObject[] = [
  { labels: 'x' },
  { labels: { a: 1 } },
  { annotations: [1] },
  { finalizers: 'x' },
  { finalizers: [1] },
  { ownerReferences: [1] },
  { generateName: 5 },
];

// Go clients cannot read a list in which one object has such metadata.
test.for(badMeta)('custom objects with the metadata %j are refused', async (metadata) => {
  await using api = await openApi();
  await defineWidgets(api, { type: 'object' });
  const { status } = await api.send('POST', widgets, { body: widget('a', {}, metadata) });
  expect([400, 422]).toContain(status);
});

test('a patch cannot break the metadata of a custom object', async () => {
  await using api = await openApi();
  await defineWidgets(api, { type: 'object' });
  await api.create(widgets, widget('a'));
  expect((await api.patch(`${widgets}/a`, 'merge', { metadata: { labels: 'x' } })).status).toBe(422);
});

test('a field whose name is a number does not stand for the metadata', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(widgets, { ...widget('true'), 0: { metadata: { name: 'forged' } } });
  const { body } = await api.get(
    `${widgets}/true`,
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  );
  expect(textAt(body, 'metadata', 'name')).toBe('true');
});

/** Puts the old content of `spec` at the bottom of a new tower, again and again. */
async function buildTower(api: BareApi, path: string, storeys: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < storeys; count += 1) {
    const { status } = await api.patch(path, 'json', [
      { op: 'move', from: '/spec', path: '/old' },
      { op: 'add', path: '/spec', value: JSON.parse(nested(450)) as Json },
      { op: 'move', from: '/old', path: `/spec${'/a'.repeat(450)}` },
    ]);
    statuses.push(status);
  }
  return statuses;
}

test('an object cannot be patched deeper than it could be sent', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  await api.create(widgets, widget('w', { spec: { a: 1 } }));
  expect(await buildTower(api, `${widgets}/w`, 2)).toEqual([200, 422]);
});

test('warnings stay within the limits of a header', async () => {
  await using api = await openApi();
  const { headers } = await api.send('POST', configMaps, {
    body: { ...configMap('a'), ['k'.repeat(100_000)]: 1 },
  });
  expect(String(headers['warning']).length).toBeLessThan(8 * 1024);
});

test('thousands of labels, selectors and operations are work, not trouble', async () => {
  await using api = await openApi();
  const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, 'v']));
  await api.create(configMaps, configMap('many', {}, { labels }));
  const selector = Object.keys(labels)
    .map((key) => `${key}=v`)
    .join(',');
  expect(namesIn(await api.get(`${configMaps}?labelSelector=${encodeURIComponent(selector)}`))).toEqual([
    'many',
  ]);
  const operations = Array.from({ length: 10_000 }, (_, n) => ({
    op: 'add',
    path: `/data/k${n}`,
    value: 'v',
  }));
  await api.create(configMaps, configMap('patched', { data: { a: 'b' } }));
  const patched = await api.patch(`${configMaps}/patched`, 'json', operations);
  expect(Object.keys(objectAt(patched.body, 'data') ?? {})).toHaveLength(10_001);
  expect(
    refusalOf(
      await api.patch(`${configMaps}/patched`, 'json', [...operations, { op: 'remove', path: '/data' }]),
    ),
  ).toBe(
    '413 RequestEntityTooLarge: Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  );
  const copies = Array.from({ length: 200 }, (_, n) => ({ op: 'copy', from: '/data', path: `/x${n}` }));
  expect((await api.patch(`${configMaps}/patched`, 'json', copies)).status).toBe(422);
});

test('of writers who start from one revision exactly one wins', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', { data: { n: '0' } }));
  const path = `${configMaps}/a`;
  let wins = 0;
  const writer = async (id: number): Promise<void> => {
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const { body } = await api.get(path);
      const data = { n: String(Number(textAt(body, 'data', 'n')) + 1), by: `${id}.${rounds}` };
      const { status } = await api.send('PUT', path, { body: { ...body, data } });
      expect([200, 409]).toContain(status);
      if (status === 200) wins += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, id) => writer(id)));
  expect(textAt((await api.get(path)).body, 'data', 'n')).toBe(String(wins));
  expect(wins).toBeGreaterThanOrEqual(20);
});

test('patches of many lose nothing', async () => {
  await using api = await openApi();
  await api.create(configMaps, configMap('a', { data: { start: 'x' } }));
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      api.patch(`${configMaps}/a`, 'merge', { data: { [`k${n}`]: 'v' } }),
    ),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(Object.keys(objectAt((await api.get(`${configMaps}/a`)).body, 'data') ?? {})).toHaveLength(201);
  expect(new Set(answers.map(({ body }) => textAt(body, 'metadata', 'resourceVersion'))).size).toBe(200);
});

test('objects are written while their definition changes', async () => {
  await using api = await openApi();
  await defineWidgets(api);
  const crd = `${definitions}/widgets.example.com`;
  const columns = '/spec/versions/0/additionalPrinterColumns';
  const change = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) {
      const value = [{ name: `C${count}`, type: 'string', jsonPath: '.spec.a' }];
      expect((await api.patch(crd, 'json', [{ op: 'add', path: columns, value }])).status).toBe(200);
    }
  };
  const write = async (id: string): Promise<void> => {
    for (let count = 0; count < 20; count += 1) {
      await api.create(widgets, widget(`${id}-${count}`, { spec: { a: 'x' } }));
      expect((await api.patch(`${widgets}/${id}-${count}`, 'merge', { spec: { a: 'y' } })).status).toBe(200);
    }
  };
  await Promise.all([change(), write('a'), write('b')]);
  await api.embedded.server.settled();
  const { body } = await api.get(widgets, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  expect(listAt(body, 'columnDefinitions').map((each) => at(each, 'name'))).toEqual(['Name', 'C19']);
  expect(listAt(body, 'rows').map((row) => listAt(row, 'cells')[1])).toEqual(Array<string>(40).fill('y'));
  expect(api.problems).toEqual([]);
});

test('a full disk fails the write, and nothing of it is seen', async () => {
  const memory = memoryJournal();
  let full = false;
  const append: typeof memory.append = (rows, gone) => {
    if (full) throw new JournalWriteRefused('disk-full', 'objects.db', new Error('no space left on device'));
    memory.append(rows, gone);
  };
  await using api = await openApi({ journal: { ...memory, append } });
  await using watch = await api.watch(`${configMaps}?watch=1`);
  full = true;
  const lost: readonly Answer[] = await Promise.all(
    ['a', 'b'].map((name) => api.send('POST', configMaps, { body: configMap(name) })),
  );
  expect(lost.map(({ status }) => status)).toEqual([503, 503]);
  expect(lost[0]?.headers['retry-after']).toBe('1');
  expect(lost[0]?.body).toMatchObject({
    reason: 'ServiceUnavailable',
    details: { retryAfterSeconds: 1, causes: [{ reason: 'DiskFull' }] },
  });
  expect(namesIn(await api.get(configMaps))).toEqual([]);
  full = false;
  await api.create(configMaps, configMap('c'));
  expect(await watch.names(1)).toEqual(['ADDED c']);
  expect(namesIn(await api.get(`${home}/configmaps`))).toEqual(['c']);
});
