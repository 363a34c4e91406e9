import { expect, test } from 'vitest';
import { hasShown, isOlder } from './versions.ts';

test.for([
  ['9', '10', true],
  ['10', '9', false],
  ['10', '10', false],
  ['99999999999999999998', '99999999999999999999', true],
  ['', '10', false],
  ['10', '', false],
  ['abc', '10', false],
  ['08', '10', false],
] as const)('%s is older than %s: %s', ([version, than, answer]) => {
  expect(isOlder(version, than)).toBe(answer);
});

test.for([
  ['5', '7', '6', false],
  ['5', '7', '7', true],
  ['5', '9', '10', true],
  ['9', '10', '11', true],
  // The store was restored: versions began again below.
  ['7', '7', '9', false],
  ['8', '7', '9', false],
  // Nothing was listed yet, or versions are no numbers.
  ['', '7', '9', false],
  ['5', '', '9', false],
  ['5', '7', '', false],
  ['a5', 'a7', 'a7', false],
  ['5', '7', 'a7', false],
] as const)(
  'a cache at %s, then a write at %s: at %s it was shown: %s',
  ([before, written, position, answer]) => {
    expect(hasShown({ before, written, position })).toBe(answer);
  },
);
