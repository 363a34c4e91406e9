import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatIndexes, parseIndexes } from './indexes.ts';

test.for([
  [[], ''],
  [[3], '3'],
  [[1, 2], '1,2'],
  [[1, 2, 3], '1-3'],
  [[0, 2, 3, 4, 7, 8], '0,2-4,7,8'],
] as const)('%j is written %s', ([indexes, text]) => {
  expect(formatIndexes(indexes)).toBe(text);
  expect([...parseIndexes(text, 100)]).toEqual(indexes);
});

test('indexes beyond the completions are forgotten', () => {
  expect([...parseIndexes('0-2,5-9', 7)]).toEqual([0, 1, 2, 5, 6]);
});

test('what is written is read again', () => {
  const property = fc.property(fc.uniqueArray(fc.nat(50)), (indexes) => {
    const sorted = indexes.toSorted((left, right) => left - right);
    expect([...parseIndexes(formatIndexes(indexes), 51)]).toEqual(sorted);
  });
  fc.assert(property);
});
