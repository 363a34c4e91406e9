import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKubeVersions } from './versions.ts';

test('GA before beta before alpha, higher numbers first, other names last by letter', () => {
  const versions = [
    'foo10',
    'v1alpha1',
    'v2',
    'v12alpha1',
    'v10',
    'v1',
    'v10beta3',
    'foo1',
    'v3beta1',
    'v11alpha2',
  ];
  expect(versions.toSorted(compareKubeVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});

test('is an order', () => {
  const name = fc.oneof(fc.stringMatching(/^v[1-9](alpha|beta)?[1-9]?$/), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(name, name, (left, right) => {
      const there = Math.sign(compareKubeVersions(left, right));
      expect(there).toBe(0 - Math.sign(compareKubeVersions(right, left)));
      expect(there === 0).toBe(left === right);
    }),
  );
});
