import { expect, test } from 'vitest';
import { nameOf } from '#kube/object.ts';
import { staleAggregates } from './aggregate.ts';
import type { Attributes } from './attributes.ts';
import { bootstrapBindings, bootstrapRoles } from './bootstrap-roles.ts';
import { RbacIndex } from './rbac-index.ts';
import type { User } from '#kube/user.ts';

const index = new RbacIndex();
const gathered = staleAggregates(bootstrapRoles);
for (const role of [...bootstrapRoles, ...gathered]) index.setRole(`/${nameOf(role)}`, role);
for (const binding of bootstrapBindings) index.setBinding(`/${nameOf(binding)}`, binding);
for (const roleName of ['view', 'edit', 'admin']) {
  index.setBinding(`n/${roleName}`, {
    roleRef: { kind: 'ClusterRole', name: roleName },
    subjects: [{ kind: 'User', name: roleName }],
  });
}

const user = (name: string, ...groups: readonly string[]): User => ({ name, uid: '', groups, extra: {} });
const on = (verb: string, what: string, namespace = 'n'): Attributes => {
  if (what.startsWith('/')) return { type: 'path', verb, path: what };
  const [combined = '', group = ''] = what.split(' of ');
  const [resource = '', subresource = ''] = combined.split('/');
  return { type: 'resource', verb, group, resource, subresource, name: '', namespace };
};

test('admin, edit and view are gathered, and reach each other', () => {
  expect(gathered.map(nameOf)).toEqual(['admin', 'edit', 'view']);
});

test.for<readonly [string, string, boolean, boolean, boolean]>([
  ['list', 'pods', true, true, true],
  ['get', 'pods/log', true, true, true],
  ['watch', 'deployments of apps', true, true, true],
  ['create', 'pods', false, true, true],
  ['patch', 'deployments/scale of apps', false, true, true],
  ['get', 'secrets', false, true, true],
  ['create', 'serviceaccounts/token', false, true, true],
  ['impersonate', 'serviceaccounts', false, true, true],
  ['create', 'pods/eviction', false, true, true],
  ['get', 'roles of rbac.authorization.k8s.io', false, false, true],
  ['create', 'rolebindings of rbac.authorization.k8s.io', false, false, true],
  ['update', 'namespaces', false, false, false],
  ['get', 'nodes', false, false, false],
  ['update', 'resourcequotas', false, false, false],
])('may %s %s: view %s, edit %s, admin %s', ([verb, what, ...expected]) => {
  const verdicts = ['view', 'edit', 'admin'].map(
    (name) => index.check(user(name), on(verb, what)).type === 'allowed',
  );
  expect(verdicts).toEqual(expected);
  for (const name of ['view', 'edit', 'admin'])
    expect(index.check(user(name), on(verb, what, 'm')).type).toBe('denied');
});

test.for<readonly [string, string, boolean, boolean]>([
  ['get', '/version', true, true],
  ['get', '/healthz', true, true],
  ['get', '/api', false, true],
  ['get', '/apis/apps/v1', false, true],
  ['get', '/openapi/v3', false, true],
  ['get', '/metrics', false, false],
  ['create', 'selfsubjectaccessreviews of authorization.k8s.io', false, true],
  ['create', 'selfsubjectreviews of authentication.k8s.io', false, true],
  ['create', 'subjectaccessreviews of authorization.k8s.io', false, false],
])('may %s %s: strangers %s, known users %s', ([verb, what, stranger, known]) => {
  const may = (group: string): boolean =>
    index.check(user('x', group), on(verb, what, '')).type === 'allowed';
  expect([may('system:unauthenticated'), may('system:authenticated')]).toEqual([stranger, known]);
});
