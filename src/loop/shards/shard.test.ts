import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeShard, shardOf } from './shard.ts';

test.for([2, 3, 7, 16])('names that differ in a number are spread evenly over %d shards', (count) => {
  const sizes = Array.from({ length: count }, () => 0);
  for (let number = 0; number < 10_000; number += 1) {
    const index = shardOf(`bench/shop-${number}`, count);
    sizes[index] = (sizes[index] ?? 0) + 1;
  }
  const fair = 10_000 / count;
  expect(Math.min(...sizes)).toBeGreaterThan(fair * 0.85);
  expect(Math.max(...sizes)).toBeLessThan(fair * 1.15);
});

test('every key belongs to exactly one shard', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (key, count) => {
      const owners = Array.from({ length: count }, (_, index) => makeShard(index, count)).filter((shard) =>
        shard.owns(key),
      );
      expect(owners).toHaveLength(1);
    }),
  );
});

test('the shard of a key never changes: other replicas may run another version', () => {
  expect(
    ['default/g', 'default/h', 'games/chess', 'widgets.example.com'].map((key) => shardOf(key, 8)),
  ).toEqual([4, 2, 3, 3]);
});
