import { expect, test } from 'vitest';
import { accountOf, accountUserName } from '#kube/user.ts';

test.for<readonly [string, object | undefined]>([
  ['system:serviceaccount:dev:robot', { namespace: 'dev', name: 'robot' }],
  ['system:serviceaccount:dev', undefined],
  ['system:serviceaccount::robot', undefined],
  ['system:serviceaccount:a:b:c', undefined],
  ['robot', undefined],
])('the account of the user %s', ([name, account]) => {
  expect(accountOf(name)).toEqual(account);
});

test('an account has a user name with namespace and name', () => {
  expect(accountOf(accountUserName('a', 'b'))).toEqual({ namespace: 'a', name: 'b' });
});
