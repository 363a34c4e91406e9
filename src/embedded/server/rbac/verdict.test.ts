import { expect, test } from 'vitest';
import { statusOf } from '#kube/status.ts';
import type { Attributes } from './attributes.ts';
import { anonymous } from '#kube/user.ts';
import { accessDenied, reasonOf, type Grant, type AccessDecision } from './verdict.ts';

const listNodes = {
  type: 'resource',
  verb: 'list',
  group: '',
  resource: 'nodes',
  subresource: '',
  name: '',
  namespace: '',
} as const;

test.for<readonly [string, Attributes, string, object]>([
  [
    'at the cluster scope',
    listNodes,
    'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
    { kind: 'nodes' },
  ],
  [
    'a subresource of a named object of a group',
    {
      ...listNodes,
      verb: 'get',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      name: 'd',
      namespace: 'default',
    },
    'deployments.apps "d" is forbidden: User "system:anonymous" cannot get resource "deployments/scale" in API group "apps" in the namespace "default"',
    { name: 'd', group: 'apps', kind: 'deployments' },
  ],
  [
    'a path',
    { type: 'path', verb: 'get', path: '/metrics' },
    'forbidden: User "system:anonymous" cannot get path "/metrics"',
    {},
  ],
])('the 403: %s', ([, attributes, message, details]) => {
  expect(statusOf(accessDenied(anonymous, attributes, ''))).toMatchObject({
    message,
    details,
    code: 403,
    reason: 'Forbidden',
  });
  expect(accessDenied(anonymous, attributes, 'RBAC: why').message).toBe(`${message}: RBAC: why`);
});

const grant = (binding: string, kind: string): Grant => ({
  binding,
  roleKind: 'ClusterRole',
  roleName: 'view',
  subject: { kind, name: 'robot', namespace: 'dev' },
});

test.for<readonly [AccessDecision, string]>([
  [{ type: 'allowed', by: undefined }, ''],
  [
    { type: 'allowed', by: grant('/all', 'User') },
    'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "view" to User "robot"',
  ],
  [
    { type: 'allowed', by: grant('dev/some', 'ServiceAccount') },
    'RBAC: allowed by RoleBinding "some/dev" of ClusterRole "view" to ServiceAccount "robot/dev"',
  ],
  [{ type: 'denied', errors: [] }, ''],
  [{ type: 'denied', errors: ['a'] }, 'RBAC: a'],
  [{ type: 'denied', errors: ['a', 'b'] }, 'RBAC: [a, b]'],
])('the reason of a verdict (%#)', ([verdict, reason]) => {
  expect(reasonOf(verdict)).toBe(reason);
});
