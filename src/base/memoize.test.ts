import { expect, test } from 'vitest';
import { memoize } from './memoize.ts';

function counting(most: number, compute: (key: string) => string | undefined) {
  const computed: string[] = [];
  const find = memoize(most, (key) => {
    computed.push(key);
    return compute(key);
  });
  return { computed, find };
}

test('a value is computed once', () => {
  const { computed, find } = counting(2, (key) => key.toUpperCase());
  expect([find('a'), find('b'), find('a')]).toEqual(['A', 'B', 'A']);
  expect(computed).toEqual(['a', 'b']);
});

test('when it is full, all values are forgotten', () => {
  const { computed, find } = counting(2, (key) => key.toUpperCase());
  for (const key of ['a', 'b', 'c', 'a', 'c']) find(key);
  expect(computed).toEqual(['a', 'b', 'c', 'a']);
});

test('an absent value is computed again', () => {
  const { computed, find } = counting(2, () => undefined);
  expect([find('a'), find('a')]).toEqual([undefined, undefined]);
  expect(computed).toEqual(['a', 'a']);
});
