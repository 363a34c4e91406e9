import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { openServer, type Reply } from '../support/open-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = '/apis/authorization.k8s.io/v1';
const tokens = [{ token: 'bob-token', name: 'bob', uid: '2', groups: ['devs'] }];
const bob = { authorization: 'Bearer bob-token' };
const message = (reply: Reply): string => `${reply.status} ${textAt(reply.body, 'message') ?? ''}`;

const viewer = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'v' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ kind: 'Group', name: 'devs' }],
};
const listPods = { verb: 'list', resource: 'pods', namespace: 'default' };

const openWithViewer = async (): ReturnType<typeof openServer> => {
  const server = await openServer({ controllers: [], authorization: 'rbac', tokens });
  await server.create(`${rbac}/namespaces/default/rolebindings`, viewer);
  return server;
};

test('one learns what oneself may do', async () => {
  await using server = await openWithViewer();
  const ask = async (spec: JsonObject): Promise<unknown> =>
    (await server.requestAs(bob, 'POST', `${group}/selfsubjectaccessreviews`, { spec })).body['status'];
  expect(await ask({ resourceAttributes: listPods })).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "v/default" of ClusterRole "view" to Group "devs"',
  });
  expect(await ask({ resourceAttributes: { ...listPods, namespace: '' } })).toEqual({ allowed: false });
  expect(await ask({ resourceAttributes: { ...listPods, subresource: 'exec' } })).toEqual({ allowed: false });
  expect(await ask({ nonResourceAttributes: { path: '/apis/apps', verb: 'get' } })).toMatchObject({
    allowed: true,
  });
  expect(await ask({ nonResourceAttributes: { path: '/metrics', verb: 'get' } })).toEqual({ allowed: false });
});

test('a user with permission can review other users', async () => {
  await using server = await openWithViewer();
  const ask = async (spec: JsonObject): Promise<unknown> =>
    (await server.request('POST', `${group}/subjectaccessreviews`, { spec })).body['status'];
  expect(await ask({ user: 'x', groups: ['devs'], resourceAttributes: listPods })).toMatchObject({
    allowed: true,
  });
  expect(await ask({ user: 'bob', resourceAttributes: listPods })).toEqual({ allowed: false });
  expect(await ask({ groups: ['system:masters'], resourceAttributes: listPods })).toEqual({ allowed: true });
  const asBob = await server.requestAs(bob, 'POST', `${group}/subjectaccessreviews`, {
    spec: { user: 'x', resourceAttributes: listPods },
  });
  expect(asBob.status).toBe(403);
});

test('questions that make no sense are refused', async () => {
  await using server = await openWithViewer();
  const ask = async (plural: string, spec: JsonObject): Promise<string> =>
    message(await server.request('POST', `${group}/${plural}`, { spec }));
  expect(await ask('selfsubjectaccessreviews', {})).toBe(
    '422 .authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
  );
  expect(await ask('subjectaccessreviews', { resourceAttributes: listPods })).toContain(
    'spec.user: Invalid value: "": at least one of user or group must be specified',
  );
  expect(await ask('selfsubjectrulesreviews', {})).toBe('400 no namespace on request');
  const local = 'namespaces/default/localsubjectaccessreviews';
  expect(await ask(local, { user: 'x', resourceAttributes: { ...listPods, namespace: 'other' } })).toContain(
    'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
  );
  expect(await ask(local, { user: 'x', nonResourceAttributes: { path: '/x', verb: 'get' } })).toContain(
    'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/x", Verb:"get"}: disallowed on this kind of request',
  );
});

test('a review of one namespace is answered for it', async () => {
  await using server = await openWithViewer();
  const spec = { user: 'x', groups: ['devs'], resourceAttributes: listPods };
  const path = `${group}/namespaces/default/localsubjectaccessreviews`;
  const { body } = await server.request('POST', path, { spec });
  expect(body).toMatchObject({ metadata: { namespace: 'default' }, status: { allowed: true } });
});

test('the rules of a user in a namespace are listed', async () => {
  await using server = await openWithViewer();
  const rules = async (namespace: string): Promise<JsonObject> => {
    const path = `${group}/selfsubjectrulesreviews`;
    return (await server.requestAs(bob, 'POST', path, { spec: { namespace } })).body;
  };
  const here = await rules('default');
  const resources = listAt(here, 'status', 'resourceRules').flatMap((rule) => listAt(rule, 'resources'));
  expect(resources).toContain('pods/log');
  expect(resources).toContain('selfsubjectaccessreviews');
  expect(listAt(here, 'status', 'nonResourceRules').length).toBeGreaterThan(0);
  const there = await rules('kube-system');
  expect(listAt(there, 'status', 'resourceRules').flatMap((rule) => listAt(rule, 'resources'))).not.toContain(
    'pods/log',
  );
});

test('where everything is allowed, every review allows', async () => {
  await using server = await openServer({ controllers: [] });
  const ask = async (plural: string, spec: JsonObject): Promise<unknown> =>
    (await server.request('POST', `${group}/${plural}`, { spec })).body['status'];
  const resourceAttributes = { ...listPods, verb: 'anything' };
  expect(await ask('selfsubjectaccessreviews', { resourceAttributes })).toEqual({ allowed: true });
  expect(await ask('subjectaccessreviews', { user: 'x', resourceAttributes })).toEqual({ allowed: true });
  expect(await ask('selfsubjectrulesreviews', { namespace: 'x' })).toEqual({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  });
});
