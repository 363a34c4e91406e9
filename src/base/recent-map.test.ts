import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('the entry that was not read for longest is dropped', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
});

test('a new value of a known key drops nothing', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect([map.get('a'), map.get('b')]).toEqual([3, 2]);
});

test('a missing value is made once, and again after it was deleted', () => {
  const map = new RecentMap<number>(2);
  let made = 0;
  const ensure = (): number => map.ensure('a', () => (made += 1));
  expect([ensure(), ensure()]).toEqual([1, 1]);
  map.delete('a');
  expect(ensure()).toBe(2);
});
