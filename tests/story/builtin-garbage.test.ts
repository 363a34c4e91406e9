import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { uidOf } from '#kube/object.ts';
import { openServer, type OpenServer, type Reply } from '../support/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const mergePatch = 'application/merge-patch+json';
const gone = (reply: Reply): boolean => reply.status === 404;

function owner(object: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: textAt(object, 'kind') ?? '',
    name: textAt(object, 'metadata', 'name') ?? '',
    uid: uidOf(object),
    ...more,
  };
}

const map = (name: string, owners: readonly JsonObject[] = [], more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(owners.length === 0 ? {} : { ownerReferences: owners }), ...more },
});

const release = (server: OpenServer, path: string): Promise<Reply> =>
  server.request('PATCH', path, { metadata: { finalizers: null } }, mergePatch);

test('an object without owners is deleted; one with another owner only loses the reference', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  const o = await server.create(maps, map('o'));
  const p = await server.create(maps, map('p'));
  await server.create(maps, map('two', [owner(o), owner(p)]));
  await server.create(
    maps,
    map('lost', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'nobody' }]),
  );
  await server.until(`${maps}/lost`, gone);

  await server.request('DELETE', `${maps}/o`);
  const { body } = await server.until(
    `${maps}/two`,
    (reply) => listAt(reply.body, 'metadata', 'ownerReferences').length < 2,
  );
  expect(listAt(body, 'metadata', 'ownerReferences')).toEqual([owner(p)]);

  await server.request('DELETE', `${maps}/p`);
  await server.until(`${maps}/two`, gone);
  expect(server.problems).toEqual([]);
});

test('a foreground deletion waits for the dependents that block it', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  const o = await server.create(maps, map('o'));
  const k = await server.create(
    maps,
    map('k', [owner(o, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] }),
  );
  await server.create(maps, map('deep', [owner(k, { blockOwnerDeletion: true })]));
  await server.create(maps, map('free', [owner(o)], { finalizers: ['example.com/hold'] }));
  await server.request('DELETE', `${maps}/o`, { propagationPolicy: 'Foreground' });

  await server.until(`${maps}/deep`, gone);
  const held = await server.until(
    `${maps}/k`,
    ({ body }) =>
      textAt(body, 'metadata', 'deletionTimestamp') !== undefined &&
      listAt(body, 'metadata', 'finalizers').length === 1,
  );
  expect(listAt(held.body, 'metadata', 'finalizers')).toEqual(['example.com/hold']);
  expect((await server.get(`${maps}/o`)).status).toBe(200);

  await release(server, `${maps}/k`);
  await server.until(`${maps}/k`, gone);
  await server.until(`${maps}/o`, gone);
  expect((await server.get(`${maps}/free`)).status).toBe(200);
});

test('orphaning releases the dependents and leaves no trace of ownership', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  const o = await server.create(maps, map('o'));
  await server.create(maps, map('k', [owner(o)]));
  await server.request('DELETE', `${maps}/o`, { propagationPolicy: 'Orphan' });
  await server.until(`${maps}/o`, gone);
  const { body } = await server.get(`${maps}/k`);
  expect(body).toMatchObject({ metadata: { name: 'k' } });
  expect(Object.keys(body['metadata'] as JsonObject).sort()).toEqual([
    'creationTimestamp',
    'name',
    'namespace',
    'resourceVersion',
    'uid',
  ]);
});

test.for(['Foreground', 'Background'])(
  'objects that own each other go together: %s',
  async (propagationPolicy) => {
    await using server = await openServer({ controllers: ['garbage-collector'] });
    const names = ['a', 'b', 'c'];
    const made = new Map<string, JsonObject>();
    for (const name of names) made.set(name, await server.create(maps, map(name)));
    for (const [i, name] of names.entries()) {
      const above = made.get(names[(i + 1) % names.length] ?? '') ?? {};
      const ownerReferences = [owner(above, { blockOwnerDeletion: true })];
      await server.request('PATCH', `${maps}/${name}`, { metadata: { ownerReferences } }, mergePatch);
    }
    await server.request('DELETE', `${maps}/a`, { propagationPolicy });
    for (const name of names) await server.until(`${maps}/${name}`, gone);
  },
);

test('an owner in another namespace is none, and causes an event', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  const o = await server.create('/api/v1/namespaces/kube-public/configmaps', map('o'));
  await server.create(maps, map('k', [owner(o)]));
  await server.until(`${maps}/k`, gone);
  const { body } = await server.get('/api/v1/namespaces/default/events');
  const [event] = listAt(body, 'items').filter(isObject);
  expect(event).toMatchObject({
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [v1/ConfigMap, namespace: default, name: o, uid: ${uidOf(o)}] does not exist in namespace "default"`,
    involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'k' },
  });
});

test('a cluster-scoped owner owns everywhere; a namespaced one never owns a cluster-scoped object', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const above = await server.create(classes, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'above' },
    value: 1,
  });
  const o = await server.create(maps, map('o', [owner(above, { apiVersion: 'scheduling.k8s.io/v1' })]));
  await server.create(classes, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'below', ownerReferences: [owner(o)] },
    value: 1,
  });
  await server.until('/api/v1/namespaces/default/events', ({ body }) => listAt(body, 'items').length === 1);
  await server.request('DELETE', `${classes}/above`);
  await server.until(`${maps}/o`, gone);
  expect((await server.get(`${classes}/below`)).status).toBe(200);
});

test('custom objects own and are owned, and go with their definition', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  await defineShips(server);
  const ships = '/apis/example.com/v1/namespaces/default/ships';
  const ship = await server.create(ships, {
    apiVersion: 'example.com/v1',
    kind: 'Ship',
    metadata: { name: 's' },
  });
  const k = await server.create(maps, map('k', [owner(ship, { apiVersion: 'example.com/v1' })]));
  await server.create(ships, {
    apiVersion: 'example.com/v1',
    kind: 'Ship',
    metadata: { name: 'boat', ownerReferences: [owner(k)] },
  });
  await server.create(
    maps,
    map('stray', [{ apiVersion: 'example.com/v1', kind: 'Plane', name: 'x', uid: 'nobody' }]),
  );
  await server.request('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ships.example.com');
  await server.until(`${maps}/k`, gone);
  expect((await server.get(`${maps}/stray`)).status).toBe(200);
});

async function defineShips(server: OpenServer): Promise<void> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ships.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'ships', singular: 'ship', kind: 'Ship', listKind: 'ShipList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  });
  await server.until(`${definitions}/ships.example.com`, ({ body }) =>
    listAt(body, 'status', 'conditions').some(
      (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
    ),
  );
}

test('what was left half done is finished after a restart', async () => {
  const journal = memoryJournal();
  {
    await using server = await openServer({ controllers: [], journal });
    const o = await server.create(maps, map('o'));
    await server.create(maps, map('k', [owner(o, { blockOwnerDeletion: true })]));
    const q = await server.create(maps, map('q'));
    await server.create(maps, map('r', [owner(q)]));
    await server.request('DELETE', `${maps}/o`, { propagationPolicy: 'Foreground' });
    await server.request('DELETE', `${maps}/q`);
  }
  await using server = await openServer({ controllers: ['garbage-collector'], journal });
  for (const name of ['o', 'k', 'r']) await server.until(`${maps}/${name}`, gone);
});

test('a collector stopped after every few writes still comes to an end', async () => {
  const journal = memoryJournal();
  {
    await using server = await openServer({ controllers: [], journal });
    const o = await server.create(maps, map('o'));
    for (let i = 0; i < 150; i += 1) {
      await server.create(maps, map(`k${i}`, [owner(o, { blockOwnerDeletion: true })]));
    }
    await server.request('DELETE', `${maps}/o`, { propagationPolicy: 'Foreground' });
  }
  let lives = 0;
  for (let left = 151; left > 0; lives += 1) {
    await using server = await openServer({ controllers: ['garbage-collector'], journal });
    left = listAt((await server.get(maps)).body, 'items').length;
    if (left > 0) await server.until(maps, ({ body }) => listAt(body, 'items').length < left);
  }
  expect(lives).toBeGreaterThan(2);
});

test.for([
  { propagationPolicy: 'Background', left: 0 },
  { propagationPolicy: 'Foreground', left: 0 },
  { propagationPolicy: 'Orphan', left: 2000 },
])('two thousand dependents: $propagationPolicy', async ({ propagationPolicy, left }) => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  const o = await server.create(maps, map('o'));
  const reference = owner(o, { blockOwnerDeletion: true });
  await Promise.all(Array.from({ length: 2000 }, (_, i) => server.create(maps, map(`k${i}`, [reference]))));
  await server.request('DELETE', `${maps}/o`, { propagationPolicy });
  const { body } = await server.until(maps, ({ body }) => {
    const items = listAt(body, 'items');
    return (
      items.length === left && items.every((each) => listAt(each, 'metadata', 'ownerReferences').length === 0)
    );
  });
  expect(listAt(body, 'items')).toHaveLength(left);
});

const at = fc.nat({ max: 5 });
const worlds = fc.record({
  owners: fc.array(
    fc.uniqueArray(fc.record({ to: at, blocks: fc.boolean() }), { maxLength: 2, selector: ({ to }) => to }),
    { minLength: 6, maxLength: 6 },
  ),
  deletions: fc.array(
    fc.record({ of: at, propagationPolicy: fc.constantFrom('Background', 'Foreground', 'Orphan') }),
    { minLength: 1, maxLength: 4 },
  ),
});

test('with any owners, all garbage is deleted, and nothing is orphaned', async () => {
  await using server = await openServer({ controllers: ['garbage-collector'] });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async ({ owners, deletions }) => {
      round += 1;
      const name = (i: number): string => `r${round}-${i}`;
      const made = await Promise.all(owners.map((_, i) => server.create(maps, map(name(i)))));
      await Promise.all(
        owners.map((above, i) => {
          const ownerReferences = above.map(({ to, blocks }) =>
            owner(made[to] ?? {}, { blockOwnerDeletion: blocks }),
          );
          return server.request('PATCH', `${maps}/${name(i)}`, { metadata: { ownerReferences } }, mergePatch);
        }),
      );
      await Promise.all(
        deletions.map(({ of, propagationPolicy }) =>
          server.request('DELETE', `${maps}/${name(of)}`, { propagationPolicy }),
        ),
      );
      await server.until(maps, ({ body }) => isSettled(listAt(body, 'items')));
      await server.request('DELETE', maps);
    }),
    { numRuns: 60 },
  );
  expect(server.problems).toEqual([]);
});

/** Nothing waits to go, and every owner that is named exists. */
function isSettled(items: readonly Json[]): boolean {
  const uids = new Set(items.map((each) => textAt(each, 'metadata', 'uid')));
  return items.every(
    (each) =>
      textAt(each, 'metadata', 'deletionTimestamp') === undefined &&
      listAt(each, 'metadata', 'ownerReferences').every((reference) => uids.has(textAt(reference, 'uid'))),
  );
}
