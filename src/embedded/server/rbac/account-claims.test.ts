import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import { accountToken, claimsOf } from './account-claims.ts';

const account = { metadata: { name: 'robot', namespace: 'dev', uid: 'u1' } };
const claims = claimsOf({
  account,
  audiences: ['a'],
  bound: [
    { kind: 'pod', name: 'p', uid: 'u2' },
    { kind: 'node', name: 'n', uid: 'u3' },
  ],
  now: instant(5_000_400),
  lifetimeSeconds: 600,
  id: 'j',
});
const at = (seconds: number, changed: JsonObject = claims): unknown =>
  accountToken(changed, instant(seconds * 1000));

test('the claims have the names that Kubernetes gives them', () => {
  expect(claims).toEqual({
    aud: ['a'],
    exp: 5600,
    iat: 5000,
    iss: 'https://kubernetes.default.svc',
    jti: 'j',
    'kubernetes.io': {
      namespace: 'dev',
      pod: { name: 'p', uid: 'u2' },
      node: { name: 'n', uid: 'u3' },
      serviceaccount: { name: 'robot', uid: 'u1' },
    },
    nbf: 5000,
    sub: 'system:serviceaccount:dev:robot',
  });
});

test('they have the user, its pod and its node', () => {
  expect(at(5100)).toEqual({
    namespace: 'dev',
    account: { name: 'robot', uid: 'u1' },
    audiences: ['a'],
    bound: [
      { kind: 'pod', name: 'p', uid: 'u2' },
      { kind: 'node', name: 'n', uid: 'u3' },
    ],
    user: {
      name: 'system:serviceaccount:dev:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:dev', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': ['JTI=j'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['u2'],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/node-uid': ['u3'],
      },
    },
  });
});

test.for<readonly [string, number, JsonObject]>([
  ['too early', 4999, claims],
  ['expired', 5600, claims],
  ['without an end', 5100, { ...claims, exp: null }],
  ['of another issuer', 5100, { ...claims, iss: 'x' }],
  ['of another subject', 5100, { ...claims, sub: 'system:serviceaccount:dev:other' }],
  ['of no account', 5100, { ...claims, 'kubernetes.io': { namespace: 'dev' } }],
])('claims that are not good: %s', ([, seconds, changed]) => {
  expect(at(seconds, changed)).toBeUndefined();
});
