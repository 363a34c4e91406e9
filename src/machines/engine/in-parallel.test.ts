import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('so many at a time, and all of them', async () => {
  let busy = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++busy);
    await Promise.resolve();
    busy -= 1;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a failure is thrown when those that began have ended, and no other begins', async () => {
  const ended: number[] = [];
  const acts = inParallel([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('one');
    await Promise.resolve();
    ended.push(item);
  });
  await expect(acts).rejects.toThrow('one');
  expect(ended).toEqual([2]);
});
