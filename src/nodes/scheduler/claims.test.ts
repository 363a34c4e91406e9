import { expect, test } from 'vitest';
import { missingClaim, waitsForClaim } from './claims.ts';

const pod = (...claims: readonly string[]): never =>
  ({
    metadata: { namespace: 'a' },
    spec: {
      volumes: [
        { name: 'scratch', emptyDir: {} },
        ...claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      ],
    },
  }) as never;
const known = (namespace: string, name: string): object | undefined =>
  namespace === 'a' && name === 'there' ? {} : undefined;

test.for([
  ['no claims', pod(), undefined],
  ['a claim that exists', pod('there'), undefined],
  ['a claim that does not', pod('there', 'nowhere'), 'nowhere'],
] as const)('a pod with %s', ([, given, missing]) => {
  expect(missingClaim(given, known as never)).toBe(missing);
});

test('the message names the claim', () => {
  expect(waitsForClaim(3, 'data')).toBe('0/3 nodes are available: persistentvolumeclaim "data" not found.');
});
