import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '#base/random.ts';
import { millis } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { systemTasks } from '#edge/tasks.ts';
import { settled, wake, WorkQueue, type Next, type WorkQueueDeps } from './work-queue.ts';

function open(
  run: (key: string, signal: AbortSignal) => Promise<Next>,
  parallel = 2,
  more: Partial<WorkQueueDeps> = {},
) {
  const clock = manualClock(0);
  const logged: string[] = [];
  const report = (message: string, fields: { readonly why?: unknown }): void =>
    void logged.push(`${message}: ${String(fields.why)}`);
  const isExpected = (error: unknown): boolean => String(error).includes('changed');
  const random = { ...seededRandom(1), next: () => 0 };
  const queue = new WorkQueue({
    clock,
    random,
    tasks: systemTasks,
    report,
    isExpected,
    name: 'test',
    parallel,
    run,
    ...more,
  });
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
  let most = 0;
  const { queue } = open(async (key) => {
    running += 1;
    runs += 1;
    most = Math.max(most, running);
    if (runs === 1) for (let i = 0; i < 3; i += 1) queue.add(key);
    for (let i = 0; i < 3; i += 1) await new Promise<void>((resolve) => systemTasks.soon(resolve));
    running -= 1;
    return settled;
  });
  queue.add('a');
  await queue.idle();
  expect([runs, most]).toEqual([2, 1]);
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
  const outcomes = ['changed', 'broken', '', 'broken', ''];
  let runs = 0;
  const { queue, clock, logged } = open(async () => {
    const why = outcomes[runs++];
    if (why) throw new Error(why);
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
  expect([await after(49), await after(1)]).toEqual([3, 4]);
  expect([await after(4), await after(1), await after(1000)]).toEqual([4, 5, 5]);
  expect(logged).toEqual(['a controller could not finish: broken', 'a controller could not finish: broken']);
});

test('the earliest wake-up counts, and a change does not wait for it', async () => {
  let runs = 0;
  const { queue, clock } = open(async () => ((runs += 1), settled));
  queue.add('a', { after: millis(100) });
  queue.add('a', { after: millis(20) });
  queue.add('a', { after: millis(60) });
  clock.advance(millis(20));
  await queue.idle();
  clock.advance(millis(500));
  await queue.idle();
  expect(runs).toBe(1);
  queue.add('a', { after: millis(100) });
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
  queue.add('c', { after: millis(1) });
  await new Promise<void>((resolve) => systemTasks.soon(resolve));
  await queue.close();
  queue.add('d');
  clock.advance(millis(100));
  await queue.idle();
  expect(ended).toEqual(['a']);
});

test('higher priorities go first, and the oldest gets its turn all the same', async () => {
  const ran: string[] = [];
  const { queue } = open(async (key) => (ran.push(key), settled), 1, { paused: true });
  queue.add('low');
  for (let i = 0; i < 10; i += 1) queue.add(`high-${i}`, { priority: 5 });
  queue.add('raised');
  queue.add('raised', { priority: 9 });
  queue.resume();
  await queue.idle();
  const expected = ['raised', ...Array.from({ length: 10 }, (_, i) => `high-${i}`)];
  expect(ran).toEqual([...expected.slice(0, 7), 'low', ...expected.slice(7)]);
});

test('a paused queue gathers keys until it is resumed', async () => {
  const ran: string[] = [];
  const { queue } = open(async (key) => (ran.push(key), settled), 1, { paused: true });
  queue.add('a');
  await new Promise<void>((resolve) => systemTasks.soon(resolve));
  expect(ran).toEqual([]);
  queue.resume();
  await queue.idle();
  expect(ran).toEqual(['a']);
});

test('all retries together keep to a rate, those of expected failures do not count', async () => {
  const failed = new Set<string>();
  const again: string[] = [];
  const run = async (key: string): Promise<Next> => {
    if (failed.has(key)) return (again.push(key), settled);
    failed.add(key);
    throw new Error(key.startsWith('calm') ? 'changed' : 'broken');
  };
  const { queue, clock } = open(run, 10, { retries: { perSecond: 2, burst: 1 } });
  for (const key of ['calm-1', 'a', 'calm-2', 'b', 'c']) queue.add(key);
  await queue.idle();
  const after = async (span: number): Promise<readonly string[]> => {
    clock.advance(millis(span));
    await queue.idle();
    return again.splice(0);
  };
  expect(await after(5)).toEqual(['calm-1', 'a', 'calm-2']);
  expect([await after(494), await after(1)]).toEqual([[], ['b']]);
  expect([await after(499), await after(1)]).toEqual([[], ['c']]);
});

test('a wake-up keeps the priority, and a later one does not delay one for now', async () => {
  const ran: string[] = [];
  const run = async (key: string): Promise<Next> => (
    ran.push(key),
    ran.length < 3 ? wake(millis(10)) : settled
  );
  const { queue, clock } = open(run, 1, { paused: true });
  queue.add('low');
  queue.add('high', { priority: 1 });
  queue.add('high', { after: millis(5) });
  queue.resume();
  await queue.idle();
  queue.add('middle', { after: millis(10) });
  clock.advance(millis(10));
  await queue.idle();
  expect(ran).toEqual(['high', 'low', 'high', 'low', 'middle']);
});

const step = fc.oneof(
  fc.record({
    type: fc.constant('add' as const),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    after: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined, freq: 1 }),
    priority: fc.integer({ min: -1, max: 2 }),
  }),
  fc.record({ type: fc.constant('pass' as const), span: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ type: fc.constant('finish' as const), fails: fc.boolean() }),
);

test('whatever happens: never twice at a time, never too many, nothing added is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, parallel) => {
        const running = new Map<string, (isFailure: boolean) => void>();
        const owed = new Set<string>();
        const wrong: string[] = [];
        const { queue, clock } = open((key) => {
          if (running.has(key)) wrong.push(`${key} runs twice`);
          owed.delete(key);
          return new Promise((resolve, reject) => {
            const end = (isFailure: boolean): void => {
              running.delete(key);
              if (isFailure) owed.add(key);
              if (isFailure) reject(new Error('broken'));
              else resolve(settled);
            };
            running.set(key, end);
            if (running.size > parallel) wrong.push(`${running.size} run`);
          });
        }, parallel);
        const finish = (isFailure: boolean): void => {
          const [first] = running.values();
          first?.(isFailure);
        };
        for (const each of steps) {
          if (each.type === 'add') {
            owed.add(each.key);
            const after = each.after === undefined ? undefined : millis(each.after);
            queue.add(each.key, { after, priority: each.priority });
          }
          if (each.type === 'pass') clock.advance(millis(each.span));
          if (each.type === 'finish') finish(each.fails);
          await new Promise<void>((resolve) => systemTasks.soon(resolve));
        }
        for (let i = 0; i < 40; i += 1) {
          finish(false);
          clock.advance(millis(60_000));
          await new Promise<void>((resolve) => systemTasks.soon(resolve));
        }
        expect([...wrong, ...owed, ...running.keys()]).toEqual([]);
        await queue.close();
      },
    ),
    { numRuns: 60 },
  );
});
