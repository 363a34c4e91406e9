import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { ResourceAttributes } from './attributes.ts';
import { RbacIndex } from './rbac-index.ts';
import type { User } from '#kube/user.ts';

const user = (name: string, ...groups: readonly string[]): User => ({ name, uid: '', groups, extra: {} });
const role = (verb: string): JsonObject => ({
  rules: [{ verbs: [verb], apiGroups: [''], resources: ['pods'] }],
});
const binding = (kind: string, name: string, ...subjects: readonly JsonObject[]): JsonObject => ({
  roleRef: { kind, name },
  subjects,
});
const jane = { kind: 'User', name: 'jane' };
const asked = (verb: string, namespace: string): ResourceAttributes => ({
  type: 'resource',
  verb,
  group: '',
  resource: 'pods',
  subresource: '',
  name: '',
  namespace,
});

test('a ClusterRoleBinding reaches everywhere, a RoleBinding its namespace', () => {
  const index = new RbacIndex();
  index.setRole('/reader', role('get'));
  index.setBinding('n/b', binding('ClusterRole', 'reader', jane));
  expect(index.check(user('jane'), asked('get', 'n')).type).toBe('allowed');
  expect(index.check(user('jane'), asked('get', 'm')).type).toBe('denied');
  expect(index.check(user('jane'), asked('get', '')).type).toBe('denied');
  index.setBinding('/b', binding('ClusterRole', 'reader', jane));
  expect(index.check(user('jane'), asked('get', 'm')).type).toBe('allowed');
  expect(index.check(user('jane'), asked('get', '')).type).toBe('allowed');
  expect(index.check(user('june'), asked('get', '')).type).toBe('denied');
});

test('a Role is that of the namespace of its binding', () => {
  const index = new RbacIndex();
  index.setRole('n/reader', role('get'));
  index.setBinding('n/b', binding('Role', 'reader', jane));
  index.setBinding('m/b', binding('Role', 'reader', jane));
  expect(index.check(user('jane'), asked('get', 'n')).type).toBe('allowed');
  expect(index.check(user('jane'), asked('get', 'm'))).toEqual({
    type: 'denied',
    errors: ['role.rbac.authorization.k8s.io "reader" not found'],
  });
});

test('groups and service accounts are subjects; an account without namespace is of the binding', () => {
  const index = new RbacIndex();
  index.setRole('/reader', role('get'));
  const robot = { kind: 'ServiceAccount', name: 'robot' };
  index.setBinding('n/b', binding('ClusterRole', 'reader', { kind: 'Group', name: 'devs' }, robot));
  index.setBinding('n/c', binding('ClusterRole', 'reader', { ...robot, namespace: 'other' }));
  expect(index.check(user('x', 'devs'), asked('get', 'n')).type).toBe('allowed');
  expect(index.check(user('devs'), asked('get', 'n')).type).toBe('denied');
  expect(index.check(user('system:serviceaccount:n:robot'), asked('get', 'n')).type).toBe('allowed');
  expect(index.check(user('system:serviceaccount:other:robot'), asked('get', 'n')).type).toBe('allowed');
  expect(index.check(user('system:serviceaccount:m:robot'), asked('get', 'n')).type).toBe('denied');
});

test('system:masters may do everything, without any role', () => {
  const masters = user('root', 'system:masters');
  expect(new RbacIndex().check(masters, { type: 'path', verb: 'x', path: '/y' })).toEqual({
    type: 'allowed',
    by: undefined,
  });
});

test('the rules of a user are those of the cluster and of the namespace', () => {
  const index = new RbacIndex();
  index.setRole('/reader', role('get'));
  index.setRole('n/writer', role('update'));
  index.setBinding('/b', binding('ClusterRole', 'reader', jane));
  index.setBinding('n/b', binding('Role', 'writer', jane));
  index.setBinding('n/c', binding('Role', 'lost', jane));
  const verbs = (namespace: string): readonly string[] =>
    index.rulesFor(user('jane'), namespace).rules.flatMap((rule) => rule.verbs);
  expect(verbs('n')).toEqual(['get', 'update']);
  expect(verbs('')).toEqual(['get']);
  expect(index.rulesFor(user('jane'), 'n').errors).toEqual([
    'role.rbac.authorization.k8s.io "lost" not found',
  ]);
});

const subject = fc.constantFrom<JsonObject>(
  jane,
  { kind: 'Group', name: 'devs' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'n' },
);
const change = fc.oneof(
  fc.record({
    what: fc.constant('role' as const),
    key: fc.constantFrom('/r', '/s', 'n/r', 'm/r'),
    verb: fc.option(fc.constantFrom('get', 'list'), { nil: undefined }),
  }),
  fc.record({
    what: fc.constant('binding' as const),
    key: fc.constantFrom('/b', '/c', 'n/b', 'm/b'),
    to: fc.option(
      fc.record({
        kind: fc.constantFrom('Role', 'ClusterRole'),
        name: fc.constantFrom('r', 's'),
        subjects: fc.array(subject, { maxLength: 3 }),
      }),
      { nil: undefined },
    ),
  }),
);
const users = [
  user('jane'),
  user('x', 'devs'),
  user('system:serviceaccount:n:robot', 'system:serviceaccounts'),
  user('y'),
];

test('after any changes the index equals a read of all bindings', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const index = new RbacIndex();
      const roles = new Map<string, string>();
      const bindings = new Map<string, { kind: string; name: string; subjects: readonly JsonObject[] }>();
      for (const each of changes) {
        if (each.what === 'role') {
          index.setRole(each.key, each.verb === undefined ? undefined : role(each.verb));
          if (each.verb === undefined) roles.delete(each.key);
          else roles.set(each.key, each.verb);
        } else {
          const { key, to } = each;
          index.setBinding(key, to === undefined ? undefined : binding(to.kind, to.name, ...to.subjects));
          if (to === undefined) bindings.delete(key);
          else bindings.set(key, to);
        }
      }
      const isNamed = (who: User, { kind, name }: JsonObject): boolean =>
        kind === 'Group'
          ? who.groups.some((group) => group === name)
          : who.name === (kind === 'User' ? name : 'system:serviceaccount:n:robot');
      for (const who of users) {
        for (const namespace of ['', 'n', 'm']) {
          for (const verb of ['get', 'list']) {
            const expected = [...bindings].some(([key, { kind, name, subjects }]) => {
              const place = key.split('/')[0] ?? '';
              if (place !== '' && place !== namespace) return false;
              const held = roles.get(kind === 'ClusterRole' ? `/${name}` : `${place}/${name}`);
              return held === verb && subjects.some((each) => isNamed(who, each));
            });
            expect(index.check(who, asked(verb, namespace)).type).toBe(expected ? 'allowed' : 'denied');
          }
        }
      }
    }),
  );
});
