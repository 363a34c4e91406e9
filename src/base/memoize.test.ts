import { expect, test } from 'vitest';
import { memoize, memoizeByObject } from './memoize.ts';

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

test('the value of an object is computed once', () => {
  let count = 0;
  const find = memoizeByObject((key: { readonly name: string }) => `${key.name}${(count += 1)}`);
  const key = { name: 'a' };
  expect([find(key), find(key), find({ name: 'a' })]).toEqual(['a1', 'a1', 'a2']);
});
