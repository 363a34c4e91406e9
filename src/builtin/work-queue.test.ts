import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { systemTasks } from '#edge/tasks.ts';
import { Refused } from './refused.ts';
import { settled, wake, WorkQueue, type Next } from './work-queue.ts';

function open(run: (key: string, signal: AbortSignal) => Promise<Next>, parallel = 2) {
  const clock = manualClock(0);
  const logged: string[] = [];
  const log = (message: string, fields: { readonly why?: unknown }): void =>
    void logged.push(`${message}: ${String(fields.why)}`);
  const random = { ...seededRandom(1), next: () => 0 };
  const queue = new WorkQueue({ clock, random, tasks: systemTasks, log, name: 'test', parallel, run });
  return { clock, logged, queue };
}

test('a key runs once however often it was added', async () => {
  const ran: string[] = [];
  const { queue } = open(async (key) => (ran.push(key), settled));
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  await queue.idle();
  expect(ran).toEqual(['a', 'b']);
});

test('a key added while it runs runs again, never twice at a time', async () => {
  let running = 0;
  let runs = 0;
  const { queue } = open(async (key) => {
    running += 1;
    runs += 1;
    expect(running).toBe(1);
    if (runs === 1) for (let i = 0; i < 3; i += 1) queue.add(key);
    await Promise.resolve();
    running -= 1;
    return settled;
  });
  queue.add('a');
  await queue.idle();
  expect(runs).toBe(2);
});

test('no more than so many run at a time, in the order of their coming', async () => {
  const gates = new Map<string, () => void>();
  const { queue } = open((key) => new Promise((resolve) => gates.set(key, () => resolve(settled))), 2);
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
  const turn = (): Promise<void> => new Promise((resolve) => systemTasks.soon(resolve));
  await turn();
  expect([...gates.keys()]).toEqual(['a', 'b']);
  gates.get('b')?.();
  await turn();
  await turn();
  expect([...gates.keys()]).toEqual(['a', 'b', 'c']);
});

test('failures are tried again after growing spans; success forgets them', async () => {
  let runs = 0;
  const { queue, clock, logged } = open(async () => {
    runs += 1;
    if (runs === 1) throw new Refused({ status: 409, body: { message: 'changed meanwhile' } });
    if (runs === 2) throw new Refused({ status: 500, body: { message: 'broken' } });
    return runs === 3 ? wake(millis(50)) : settled;
  });
  queue.add('a');
  const after = async (span: number): Promise<number> => {
    clock.advance(millis(span));
    await queue.idle();
    return runs;
  };
  await queue.idle();
  expect([await after(4), await after(1)]).toEqual([1, 2]);
  expect([await after(9), await after(1)]).toEqual([2, 3]);
  expect([await after(49), await after(1), await after(1000)]).toEqual([3, 4, 4]);
  expect(logged).toEqual(['a controller could not finish: broken']);
});

test('the earliest wish counts, and a change does not wait for it', async () => {
  let runs = 0;
  const { queue, clock } = open(async () => ((runs += 1), settled));
  queue.addAfter('a', millis(100));
  queue.addAfter('a', millis(20));
  queue.addAfter('a', millis(60));
  clock.advance(millis(20));
  await queue.idle();
  clock.advance(millis(500));
  await queue.idle();
  expect(runs).toBe(1);
  queue.addAfter('a', millis(100));
  queue.add('a');
  await queue.idle();
  clock.advance(millis(500));
  await queue.idle();
  expect(runs).toBe(2);
});

test('closing stops what runs, waits for it, and lets nothing start', async () => {
  const ended: string[] = [];
  const { queue, clock } = open(
    (key, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(key);
          reject(signal.reason as Error);
        });
      }),
    1,
  );
  queue.add('a');
  queue.add('b');
  queue.addAfter('c', millis(1));
  await new Promise<void>((resolve) => systemTasks.soon(resolve));
  await queue.close();
  queue.add('d');
  clock.advance(millis(100));
  await queue.idle();
  expect(ended).toEqual(['a']);
});
