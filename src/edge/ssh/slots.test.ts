import { expect, test } from 'vitest';
import { slots } from './slots.ts';

test('who finds no place waits in line, and may give up', async () => {
  const { enter, leave } = slots(1);
  const quiet = new AbortController().signal;
  const order: string[] = [];
  await enter(quiet);
  const impatient = new AbortController();
  const second = enter(impatient.signal).catch(() => order.push('gave up'));
  const third = enter(quiet).then(() => order.push('third'));
  impatient.abort();
  await second;
  leave();
  await third;
  leave();
  await enter(quiet);
  expect(order).toEqual(['gave up', 'third']);
});
