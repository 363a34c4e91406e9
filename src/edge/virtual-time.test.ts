import { expect, test } from 'vitest';
import { instant, millis, seconds } from '#base/time.ts';
import { virtualTime } from './virtual-time.ts';

const never = new AbortController().signal;

test('timers run in the order of their times, those of one time in the order in which they were set', async () => {
  const { clock, step } = virtualTime(0);
  const ran: string[] = [];
  for (const [name, span] of [
    ['d', 40],
    ['b', 20],
    ['a', 10],
    ['c', 20],
    ['e', 50],
  ] as const)
    clock.after(millis(span), () => ran.push(`${name} at ${clock.now()}`));
  const cancel = clock.after(millis(30), () => ran.push('cancelled'));
  cancel();
  while (await step(instant(45)));
  expect(ran).toEqual(['a at 10', 'b at 20', 'c at 20', 'd at 40']);
  expect(clock.now()).toBe(45);
});

test('timers of one time run by their numbers where they are given some, and can cancel each other', async () => {
  const numbers = [3, 1, 4, 2];
  const { clock, step } = virtualTime(0, { order: () => numbers.shift() ?? 0 });
  const ran: string[] = [];
  const cancels = ['a', 'b', 'c', 'd'].map((name) =>
    clock.after(millis(10), () => {
      ran.push(name);
      if (name === 'd') cancels[0]?.();
    }),
  );
  while (await step(instant(45)));
  expect(ran).toEqual(['b', 'd', 'c']);
});

test('time does not pass while promises or tasks can run', async () => {
  const { clock, tasks, settle } = virtualTime(1000);
  let done = 0;
  const work = async (): Promise<void> => {
    for (let i = 0; i < 100; i += 1) {
      await new Promise<void>((resolve) => tasks.soon(resolve));
      await Promise.resolve();
      done += 1;
    }
  };
  const over = work();
  await settle();
  await over;
  expect([done, clock.now()]).toEqual([100, 1000]);
});

test('time stands still while real work is held', async () => {
  const { clock, hold, until } = virtualTime(0);
  const seen: number[] = [];
  const work = async (): Promise<void> => {
    await clock.sleep(seconds(5), never);
    await hold(new Promise((resolve) => setTimeout(resolve, 5)));
    seen.push(clock.now());
  };
  clock.after(seconds(6), () => seen.push(clock.now()));
  await until(Promise.all([work(), clock.sleep(seconds(7), never)]));
  expect(seen).toEqual([5000, 6000]);
});

test('a sleep that is aborted rejects, and its timer is gone', async () => {
  const { clock, step, until } = virtualTime(0);
  const stop = new AbortController();
  const slept = clock.sleep(seconds(10), stop.signal);
  slept.catch(() => undefined);
  stop.abort(new Error('enough'));
  await expect(until(slept)).rejects.toThrow('enough');
  expect(await step(instant(60_000))).toBe(false);
});

test('work that waits for nothing is an error, not a hang', async () => {
  const { until } = virtualTime(0);
  await expect(until(new Promise(() => undefined))).rejects.toThrow('waits for nothing');
});
