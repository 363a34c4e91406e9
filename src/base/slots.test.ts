import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('as many start at once as there are slots, the others in the order in which they came', () => {
  const slots = new Slots(2);
  const gone: number[] = [];
  for (const number of [1, 2, 3, 4]) slots.whenFree(() => gone.push(number));
  expect(gone).toEqual([1, 2]);
  slots.release();
  expect(gone).toEqual([1, 2, 3]);
  slots.release();
  slots.release();
  expect(gone).toEqual([1, 2, 3, 4]);
});

test('a task whose signal aborts is never started', () => {
  const slots = new Slots(1);
  const leaving = new AbortController();
  const gone: string[] = [];
  slots.whenFree(() => gone.push('first'));
  slots.whenFree(() => gone.push('left'), leaving.signal);
  slots.whenFree(() => gone.push('last'));
  leaving.abort();
  slots.release();
  expect(gone).toEqual(['first', 'last']);
});

test('never more at once than allowed, and every task starts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean()), (most, steps) => {
      const slots = new Slots(most);
      let [asked, begun, busy] = [0, 0, 0];
      for (const isAsking of steps) {
        if (isAsking) {
          asked += 1;
          slots.whenFree(() => {
            begun += 1;
            busy += 1;
          });
        } else if (busy > 0) {
          busy -= 1;
          slots.release();
        }
        expect(busy).toBeLessThanOrEqual(most);
        expect(begun === asked || busy === most).toBe(true);
      }
    }),
  );
});
