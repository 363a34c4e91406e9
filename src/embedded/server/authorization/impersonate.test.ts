import { expect, test } from 'vitest';
import type { ApiRequest } from '#kube/http.ts';
import { combinedResource, type Attributes } from '#embedded/server/rbac/attributes.ts';
import type { User } from '#kube/user.ts';
import type { Authorizer } from '#embedded/server/rbac/access.ts';
import { allowAll } from './authorizer.ts';
import { actingUser, NobodyToImpersonate } from './impersonate.ts';

const caller: User = { name: 'bob', uid: '1', groups: ['system:authenticated'], extra: {} };

const request = (lines: readonly (readonly [string, string])[]): ApiRequest => {
  const headerValues = (name: string): readonly string[] =>
    lines.filter(([each]) => each === name).map(([, value]) => value);
  return {
    method: 'GET',
    path: '/api',
    query: '',
    headers: Object.fromEntries(lines.map(([name]) => [name, headerValues(name).join(', ')])),
    headerValues,
    peer: { certificate: undefined },
    body: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
  };
};

test('without headers the caller is who acts', () => {
  expect(actingUser(allowAll, request([['accept', 'x']]), caller)).toBe(caller);
});

test.for<readonly [string, readonly (readonly [string, string])[], Partial<User>]>([
  ['a user', [['impersonate-user', 'jane']], { name: 'jane', uid: '', groups: ['system:authenticated'] }],
  [
    'groups, one of them with a comma',
    [
      ['impersonate-user', 'jane'],
      ['impersonate-group', 'a, b'],
      ['impersonate-group', 'c'],
    ],
    { groups: ['a, b', 'c', 'system:authenticated'] },
  ],
  [
    'a group that is there already',
    [
      ['impersonate-user', 'jane'],
      ['impersonate-group', 'system:unauthenticated'],
    ],
    { groups: ['system:unauthenticated'] },
  ],
  ['nobody', [['impersonate-user', 'system:anonymous']], { groups: ['system:unauthenticated'] }],
  [
    'a service account with its groups',
    [['impersonate-user', 'system:serviceaccount:dev:robot']],
    { groups: ['system:serviceaccounts', 'system:serviceaccounts:dev', 'system:authenticated'] },
  ],
  [
    'a service account with other groups',
    [
      ['impersonate-user', 'system:serviceaccount:dev:robot'],
      ['impersonate-group', 'a'],
    ],
    { groups: ['a', 'system:authenticated'] },
  ],
  [
    'uid and extra',
    [
      ['impersonate-user', 'jane'],
      ['impersonate-uid', '7'],
      ['impersonate-extra-example.com%2fscope', 'one'],
      ['impersonate-extra-example.com%2fscope', 'two'],
    ],
    { uid: '7', extra: { 'example.com/scope': ['one', 'two'] } },
  ],
])('the headers name: %s', ([, lines, wanted]) => {
  expect(actingUser(allowAll, request(lines), caller)).toMatchObject(wanted);
});

test('groups without a user are refused, in the words of a real server', () => {
  const lines = [
    ['impersonate-group', 'x'],
    ['impersonate-uid', '7'],
  ] as const;
  expect(() => actingUser(allowAll, request(lines), caller)).toThrow(NobodyToImpersonate);
  expect(() => actingUser(allowAll, request(lines), caller)).toThrow(
    'requested [{Group  x    } {UID  7  authentication.k8s.io/v1  }] without impersonating a user',
  );
});

test('every part of the identity is authorized', () => {
  const asked: string[] = [];
  const authorizer: Authorizer = {
    ...allowAll,
    check: (user, attributes: Attributes) => {
      if (attributes.type === 'resource') {
        const { verb, group, name, namespace } = attributes;
        asked.push(
          [user.name, verb, group, combinedResource(attributes), namespace, name].filter(Boolean).join(' '),
        );
      }
      return { type: 'allowed', by: undefined };
    },
  };
  const lines = [
    ['impersonate-user', 'system:serviceaccount:dev:robot'],
    ['impersonate-group', 'a'],
    ['impersonate-uid', '7'],
    ['impersonate-extra-k', 'v'],
  ] as const;
  actingUser(authorizer, request(lines), caller);
  actingUser(authorizer, request([['impersonate-user', 'jane']]), caller);
  expect(asked).toEqual([
    'bob impersonate serviceaccounts dev robot',
    'bob impersonate groups a',
    'bob impersonate authentication.k8s.io userextras/k v',
    'bob impersonate authentication.k8s.io uids 7',
    'bob impersonate users jane',
  ]);
});

test('a refusal names the missing permission', () => {
  const authorizer: Authorizer = { ...allowAll, check: () => ({ type: 'denied', errors: [] }) };
  expect(() => actingUser(authorizer, request([['impersonate-user', 'jane']]), caller)).toThrow(
    'users "jane" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
  );
});
