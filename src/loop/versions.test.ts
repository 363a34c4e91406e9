import { expect, test } from 'vitest';
import { isOlder } from './versions.ts';

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
