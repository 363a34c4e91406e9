import { expect, test } from 'vitest';
import { isObject, listAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { openServer, type OpenServer, type Reply } from '../support/open-server.ts';

const gone = (reply: Reply): boolean => reply.status === 404;
const found = (reply: Reply): boolean => reply.status === 200;
const space = '/api/v1/namespaces/t';

const named = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...more },
});

const release = (server: OpenServer, path: string): Promise<Reply> =>
  server.request('PATCH', path, { metadata: { finalizers: null } }, 'application/merge-patch+json');

const conditions = ({ body }: Reply): readonly string[] =>
  listAt(body, 'status', 'conditions').map(
    (each) =>
      `${textAt(each, 'type')} ${textAt(each, 'status')} ${textAt(each, 'reason')}: ${textAt(each, 'message')}`,
  );

test('a namespace is emptied, reports what remains, and is deleted', async () => {
  await using server = await openServer();
  await server.create('/api/v1/namespaces', named('Namespace', 't'));
  await server.until(`${space}/serviceaccounts/default`, found);
  await server.until(`${space}/configmaps/kube-root-ca.crt`, found);
  await server.create(`${space}/configmaps`, named('ConfigMap', 'a'));
  await server.create(`${space}/configmaps`, named('ConfigMap', 'f', { finalizers: ['example.com/hold'] }));
  await server.create(`${space}/secrets`, named('Secret', 's'));
  await server.request('DELETE', space);

  const held = await server.until(space, (reply) => conditions(reply).length > 0);
  expect(conditions(held)).toEqual([
    'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
    'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  ]);
  expect((await server.get(`${space}/configmaps/a`)).status).toBe(404);
  expect((await server.get(`${space}/serviceaccounts/default`)).status).toBe(404);

  await release(server, `${space}/configmaps/f`);
  await server.until(space, gone);
  expect(server.problems).toEqual([]);
});

test('custom objects are deleted too; a namespace can be created again under its name', async () => {
  await using server = await openServer();
  await server.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', shipDefinition);
  const ships = '/apis/example.com/v1/namespaces/t/ships';
  const isServed = ({ status }: Reply): boolean => status === 200;
  for (const round of ['first', 'second']) {
    await server.create('/api/v1/namespaces', named('Namespace', 't'));
    await server.until(ships, isServed);
    const ship = {
      apiVersion: 'example.com/v1',
      kind: 'Ship',
      metadata: { name: round, finalizers: ['example.com/anchor'] },
    };
    await server.create(ships, ship);
    await server.request('DELETE', space);
    const held = await server.until(space, (reply) => conditions(reply).length > 0);
    expect(conditions(held)[3]).toContain('ships.example.com has 1 resource instances');
    await release(server, `${ships}/${round}`);
    await server.until(space, gone);
  }
});

test('a deletion begun before a restart is finished after it', async () => {
  const journal = memoryJournal();
  {
    await using server = await openServer({ controllers: [], journal });
    await server.create('/api/v1/namespaces', named('Namespace', 't'));
    await server.create(`${space}/configmaps`, named('ConfigMap', 'a'));
    await server.request('DELETE', space);
  }
  await using server = await openServer({ journal });
  await server.until(space, gone);
});

test('every namespace keeps its account and its root certificate', async () => {
  await using server = await openServer({
    rootCa: 'PEM',
    controllers: ['serviceaccount', 'root-ca-cert-publisher'],
  });
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  const certificate = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
  await server.until(account, found);
  const { body } = await server.until(certificate, found);
  expect(body['data']).toEqual({ 'ca.crt': 'PEM' });
  expect(textAt(body, 'metadata', 'annotations', 'kubernetes.io/description')).toMatch(
    /^Contains a CA bundle/,
  );
  const [entry] = listAt(body, 'metadata', 'managedFields').filter(isObject);
  expect(entry).toMatchObject({ manager: 'kube-controller-manager', operation: 'Update' });

  const patch = { metadata: { annotations: null }, data: { 'ca.crt': 'forged', more: 'x' } };
  await server.request('PATCH', certificate, patch, 'application/merge-patch+json');
  const restored = await server.until(certificate, (reply) => textAt(reply.body, 'data', 'ca.crt') === 'PEM');
  expect(restored.body['data']).toEqual({ 'ca.crt': 'PEM' });
  await server.request('DELETE', certificate);
  await server.until(certificate, found);
  await server.request('DELETE', account);
  await server.until(account, found);
});

test('a controller that is not named does nothing', async () => {
  await using server = await openServer({ controllers: ['serviceaccount'] });
  await server.until('/api/v1/namespaces/kube-system/serviceaccounts/default', found);
  await server.embedded.ready;
  expect((await server.get('/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt')).status).toBe(404);
});

const shipDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ships.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'ships', singular: 'ship', kind: 'Ship', listKind: 'ShipList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
