import { expect, test } from 'vitest';
import { hashText } from './hash.ts';

// Published values of 64-bit FNV-1a.
test.for([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
] as const)('%s hashes to %s', ([text, hash]) => {
  expect(hashText(text)).toBe(hash);
});
