import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import type { Headers } from '#kube/http.ts';
import { openServer, type OpenServer, type Reply } from '../support/open-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const tokens = [
  { token: 'root-token', name: 'root', uid: '1', groups: ['system:masters'] },
  { token: 'bob-token', name: 'bob', uid: '2', groups: ['devs'] },
];
const bob: Headers = { authorization: 'Bearer bob-token' };
const jane: Headers = { authorization: 'Bearer root-token', 'impersonate-user': 'jane' };

const open = (journal = memoryJournal()): Promise<OpenServer> =>
  openServer({ controllers: [], authorization: 'rbac', tokens, journal });

const message = (reply: Reply): string => `${reply.status} ${textAt(reply.body, 'message') ?? ''}`;

const rule = (verbs: string, resources: string): JsonObject => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
});

const role = (kind: string, name: string, ...rules: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  rules,
});

const bound = (name: string, roleKind: string, roleName: string, user: string): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
  subjects: [{ kind: 'User', name: user }],
});

const inDefault = (plural: string): string => `${rbac}/namespaces/default/${plural}`;

test('strangers are known as strangers and authorized; false credentials are refused', async () => {
  await using server = await open();
  const asStranger = async (path: string): Promise<string> =>
    message(await server.requestAs({}, 'GET', path));
  expect(await asStranger('/api/v1/nodes')).toBe(
    '403 nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
  );
  expect(await asStranger('/metrics')).toBe(
    '403 forbidden: User "system:anonymous" cannot get path "/metrics"',
  );
  expect(await asStranger('/api')).toMatch(/^403 /);
  expect((await server.requestAs({}, 'GET', '/healthz')).status).toBe(200);
  expect((await server.requestAs({}, 'GET', '/version')).status).toBe(200);
  const wrong = await server.requestAs({ authorization: 'Bearer wrong' }, 'GET', '/version');
  expect(message(wrong)).toBe('401 Unauthorized');
});

test('where everything is allowed, requests still need authentication', async () => {
  await using server = await openServer({ controllers: [], tokens });
  expect((await server.requestAs({}, 'GET', '/api/v1/nodes')).status).toBe(401);
  expect((await server.requestAs({}, 'GET', '/healthz')).status).toBe(200);
  expect((await server.requestAs(bob, 'GET', '/api/v1/nodes')).status).toBe(200);
  expect((await server.requestAs({ ...bob, 'impersonate-user': 'x' }, 'GET', '/api')).status).toBe(200);
});

test('a permission exists as long as its role and its binding', async () => {
  await using server = await open();
  const read = async (): Promise<string> =>
    message(await server.requestAs(bob, 'GET', '/api/v1/namespaces/default/configmaps'));
  const refusal =
    '403 configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"';
  expect(await read()).toBe(refusal);
  await server.create(inDefault('rolebindings'), bound('b', 'Role', 'reader', 'bob'));
  expect(await read()).toBe(`${refusal}: RBAC: role.rbac.authorization.k8s.io "reader" not found`);
  await server.create(inDefault('roles'), role('Role', 'reader', rule('list', 'configmaps')));
  expect(await read()).toBe('200 ');
  const elsewhere = await server.requestAs(bob, 'GET', '/api/v1/namespaces/kube-system/configmaps');
  expect(elsewhere.status).toBe(403);
  await server.request('DELETE', `${inDefault('rolebindings')}/b`);
  expect(await read()).toBe(refusal);
});

test('whether an object exists is returned only to users with permission', async () => {
  await using server = await open();
  expect(message(await server.requestAs(bob, 'GET', '/apis/none.example.com/v1/things'))).toBe(
    '403 things.none.example.com is forbidden: User "bob" cannot list resource "things" in API group "none.example.com" at the cluster scope',
  );
  expect((await server.get('/apis/none.example.com/v1/things')).status).toBe(404);
});

test('a PUT or an apply that would create needs the right to create', async () => {
  await using server = await open();
  await server.create(inDefault('roles'), role('Role', 'writer', rule('update patch', 'configmaps')));
  await server.create(inDefault('rolebindings'), bound('b', 'Role', 'writer', 'bob'));
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: '1' } };
  const path = '/api/v1/namespaces/default/configmaps/c';
  const apply = { ...bob, 'content-type': 'application/apply-patch+yaml' };
  const applied = await server.requestAs(apply, 'PATCH', `${path}?fieldManager=me`, object);
  expect(message(applied)).toBe(
    '403 configmaps "c" is forbidden: User "bob" cannot create resource "configmaps" in API group "" in the namespace "default"',
  );
  await server.create('/api/v1/namespaces/default/configmaps', object);
  expect((await server.requestAs(apply, 'PATCH', `${path}?fieldManager=me`, object)).status).toBe(200);
});

test('impersonation needs a permission, and then has only those of the other user', async () => {
  await using server = await open();
  const bobAsJane = { ...bob, 'impersonate-user': 'jane' };
  expect(message(await server.requestAs(bobAsJane, 'GET', '/api'))).toBe(
    '403 users "jane" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
  );
  expect(message(await server.requestAs(jane, 'GET', '/api/v1/nodes'))).toBe(
    '403 nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
  );
  const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { body } = await server.requestAs({ ...jane, 'impersonate-group': 'devs' }, 'POST', reviews, {});
  expect(body['status']).toEqual({
    userInfo: { username: 'jane', groups: ['devs', 'system:authenticated'] },
  });
  const nobody = { authorization: 'Bearer root-token', 'impersonate-group': 'devs' };
  expect(message(await server.requestAs(nobody, 'GET', '/api'))).toContain('without impersonating a user');
});

test('a user cannot grant more than their own permissions, except with escalate or bind', async () => {
  await using server = await open();
  await server.create(inDefault('rolebindings'), bound('b', 'ClusterRole', 'admin', 'bob'));
  const post = async (plural: string, object: JsonObject): Promise<string> =>
    message(await server.requestAs(bob, 'POST', inDefault(plural), object));
  expect(await post('roles', role('Role', 'fine', rule('get list', 'secrets')))).toBe('201 ');
  const refusal =
    'is forbidden: user "bob" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n';
  expect(await post('roles', role('Role', 'more', rule('get list', 'secrets nodes')))).toBe(
    `403 roles.rbac.authorization.k8s.io "more" ${refusal}{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list"]}`,
  );
  expect(await post('rolebindings', bound('x', 'ClusterRole', 'cluster-admin', 'bob'))).toBe(
    `403 rolebindings.rbac.authorization.k8s.io "x" ${refusal}{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}`,
  );
  expect(await post('rolebindings', bound('x', 'ClusterRole', 'nope', 'bob'))).toBe(
    '404 clusterrole.rbac.authorization.k8s.io "nope" not found',
  );
  expect(await post('rolebindings', bound('x', 'ClusterRole', 'view', 'bob'))).toBe('201 ');
  const widened = { rules: [rule('get', 'nodes')] };
  const patch = { ...bob, 'content-type': 'application/merge-patch+json' };
  const patched = await server.requestAs(patch, 'PATCH', `${inDefault('roles')}/fine`, widened);
  expect(message(patched)).toContain('attempting to grant RBAC permissions not currently held');
  const put = await server.requestAs(
    bob,
    'PUT',
    `${inDefault('roles')}/other`,
    role('Role', 'other', rule('*', '*')),
  );
  expect(message(put)).toContain('attempting to grant RBAC permissions not currently held');

  const licence = (verb: string, plural: string): JsonObject => ({
    verbs: [verb],
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: [plural],
  });
  const licences = role('Role', 'licences', licence('escalate', 'roles'), licence('bind', 'clusterroles'));
  await server.create(inDefault('roles'), licences);
  await server.create(inDefault('rolebindings'), bound('l', 'Role', 'licences', 'bob'));
  expect(await post('roles', role('Role', 'more', rule('get list', 'nodes')))).toBe('201 ');
  expect(await post('rolebindings', bound('y', 'ClusterRole', 'cluster-admin', 'bob'))).toBe('201 ');
});

test('an aggregated role follows those it gathers, and is not for everybody', async () => {
  await using server = await open();
  const gatherer = {
    ...role('ClusterRole', 'all'),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { gather: 'yes' } }] },
  };
  await server.create(`${rbac}/clusterroles`, gatherer);
  const part = role('ClusterRole', 'part', rule('get', 'nodes'));
  await server.create(`${rbac}/clusterroles`, {
    ...part,
    metadata: { name: 'part', labels: { gather: 'yes' } },
  });
  const has = (count: number) => (reply: Reply) => listAt(reply.body, 'rules').length === count;
  const { body } = await server.until(`${rbac}/clusterroles/all`, has(1));
  expect(body['rules']).toEqual([rule('get', 'nodes')]);
  await server.request('DELETE', `${rbac}/clusterroles/part`);
  await server.until(`${rbac}/clusterroles/all`, has(0));

  const maker = role('ClusterRole', 'maker', {
    verbs: ['create'],
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['clusterroles'],
  });
  await server.create(`${rbac}/clusterroles`, maker);
  await server.create(`${rbac}/clusterrolebindings`, {
    ...bound('m', 'ClusterRole', 'maker', 'bob'),
    kind: 'ClusterRoleBinding',
  });
  const own = { ...gatherer, metadata: { name: 'own' } };
  expect(message(await server.requestAs(bob, 'POST', `${rbac}/clusterroles`, own))).toBe(
    '403 clusterroles.rbac.authorization.k8s.io "own" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  );
});

test('the usual roles come back complete after a restart, what was added stays', async () => {
  const journal = memoryJournal();
  const discovery = `${rbac}/clusterroles/system:discovery`;
  const viewer = `${rbac}/clusterrolebindings/system:public-info-viewer`;
  {
    await using server = await open(journal);
    const merge = 'application/merge-patch+json';
    const own = { verbs: ['get'], nonResourceURLs: ['/own'] };
    await server.request('PATCH', discovery, { rules: [own] }, merge);
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await server.request('PATCH', viewer, { metadata: { annotations }, subjects: null }, merge);
    await server.request('DELETE', `${rbac}/clusterroles/view`);
  }
  await using server = await open(journal);
  const { body } = await server.get(discovery);
  expect(listAt(body, 'rules').length).toBeGreaterThan(1);
  expect(listAt(body, 'rules')[0]).toEqual({ verbs: ['get'], nonResourceURLs: ['/own'] });
  expect((await server.requestAs(bob, 'GET', '/api')).status).toBe(200);
  expect(listAt((await server.get(viewer)).body, 'subjects')).toEqual([]);
  expect((await server.requestAs({}, 'GET', '/version')).status).toBe(403);
  expect(listAt((await server.get(`${rbac}/clusterroles/view`)).body, 'rules').length).toBeGreaterThan(5);
});
