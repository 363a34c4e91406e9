import { expect, test } from 'vitest';
import { systemRandom } from './random.ts';
import { systemTasks } from './tasks.ts';

test('a task runs after what is ready now, and tasks keep their order', async () => {
  const ran: string[] = [];
  const both = new Promise<void>((resolve) => {
    systemTasks.soon(() => ran.push('first'));
    systemTasks.soon(() => {
      ran.push('second');
      resolve();
    });
  });
  void Promise.resolve().then(() => ran.push('ready'));
  ran.push('now');
  await both;
  expect(ran).toEqual(['now', 'ready', 'first', 'second']);
});

test('random numbers lie in [0, 1) and ids are version 4 and differ', () => {
  const numbers = Array.from({ length: 1000 }, () => systemRandom.next());
  expect(numbers.every((each) => each >= 0 && each < 1)).toBe(true);
  const ids = Array.from({ length: 100 }, () => systemRandom.uuid());
  expect(new Set(ids).size).toBe(100);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
