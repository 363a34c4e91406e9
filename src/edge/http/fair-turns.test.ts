import { expect, test } from 'vitest';
import { ApiError } from '#kube/status.ts';
import { FairTurns, type TurnLimits } from './fair-turns.ts';

/** An event loop whose rounds and time are in the hands of the test. */
function open(limits: Partial<TurnLimits> = {}) {
  let now = 0;
  let tasks: (() => void)[] = [];
  const clock = { now: () => now, nextRound: (task: () => void) => void tasks.push(task) };
  const turns = new FairTurns({ waiting: 1000, waitingPerUser: 1000, ...limits }, clock);
  const begun: string[] = [];
  return {
    begun,
    work: (millis: number) => void (now += millis),
    /** A request that keeps the event loop busy for a while once it is begun. */
    ask(user: string, millis: number): void {
      const begin = (): void => {
        begun.push(user);
        now += millis;
      };
      const turn = turns.enter(user);
      if (turn === undefined) begin();
      else void turn.then(begin);
    },
    async round(): Promise<void> {
      const due = tasks;
      tasks = [];
      for (const task of due) task();
      // Whoever waited for a turn goes on before the next round.
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

function refusal(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('as long as there is time everybody goes on at once', () => {
  const loop = open();
  for (const user of ['ann', 'bob', 'ann']) loop.ask(user, 1);
  expect(loop.begun).toEqual(['ann', 'bob', 'ann']);
});

test('when there is no time users take turns, whoever asked more', async () => {
  const loop = open();
  loop.ask('busy', 20);
  for (let count = 0; count < 4; count += 1) loop.ask('ann', 20);
  for (let count = 0; count < 2; count += 1) loop.ask('bob', 20);
  expect(loop.begun).toEqual(['busy']);
  for (let count = 0; count < 6; count += 1) await loop.round();
  expect(loop.begun).toEqual(['busy', 'ann', 'bob', 'ann', 'bob', 'ann', 'ann']);
});

test("a flood of one user's slow lists delays another's GET by two of them at most", async () => {
  const loop = open();
  for (let count = 0; count < 500; count += 1) loop.ask('flood', 100);
  for (let count = 0; count < 10; count += 1) await loop.round();
  const before = loop.begun.length;
  loop.ask('other', 1);
  while (!loop.begun.includes('other')) await loop.round();
  expect(loop.begun.indexOf('other') - before).toBeLessThanOrEqual(2);
});

test('a user who lists again after the GET does not overtake it', async () => {
  const loop = open();
  loop.ask('flood', 100);
  loop.ask('flood', 100);
  loop.ask('other', 1);
  loop.ask('flood', 100);
  for (let count = 0; count < 4; count += 1) await loop.round();
  expect(loop.begun).toEqual(['flood', 'flood', 'other', 'flood']);
});

test.for([
  ['all users', { waiting: 2 }, 'other'],
  ['one user', { waitingPerUser: 2 }, 'flood'],
] as const)('when the queue of %s is full the answer is 429 with a time to retry', ([, limits, user]) => {
  const loop = open(limits);
  for (let count = 0; count < 3; count += 1) loop.ask('flood', 100);
  const refused = refusal(() => loop.ask(user, 1));
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } });
});

test("one user's full queue does not refuse another", async () => {
  const loop = open({ waitingPerUser: 2 });
  for (let count = 0; count < 3; count += 1) loop.ask('flood', 100);
  loop.ask('other', 1);
  for (let count = 0; count < 4; count += 1) await loop.round();
  expect(loop.begun).toEqual(['flood', 'flood', 'other', 'flood']);
});

test('a queue that was full takes requests again once it has moved on', async () => {
  const loop = open({ waiting: 1 });
  loop.ask('ann', 100);
  loop.ask('ann', 100);
  expect(refusal(() => loop.ask('bob', 1))).toBeInstanceOf(ApiError);
  await loop.round();
  loop.ask('bob', 1);
  await loop.round();
  expect(loop.begun).toEqual(['ann', 'ann', 'bob']);
});
