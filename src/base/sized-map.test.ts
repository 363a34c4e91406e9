import { expect, test } from 'vitest';
import { SizedMap } from './sized-map.ts';

test('what was set first goes when there is no room', () => {
  const map = new SizedMap<string>(10);
  map.set('a', 'one', 4);
  map.set('b', 'two', 4);
  map.set('a', 'three', 5);
  expect(['a', 'b'].map((key) => map.get(key))).toEqual(['three', 'two']);
  map.set('c', 'four', 4);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual(['three', undefined, 'four']);
});

test('a value that is larger than all room is not kept', () => {
  const map = new SizedMap<string>(10);
  map.set('a', 'one', 4);
  map.set('b', 'two', 11);
  expect(['a', 'b'].map((key) => map.get(key))).toEqual([undefined, undefined]);
  map.set('c', 'three', 10);
  expect(map.get('c')).toBe('three');
});
