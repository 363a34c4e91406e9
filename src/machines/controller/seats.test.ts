import { expect, test } from 'vitest';
import { seconds, type Instant } from '#base/time.ts';
import { replay, type JournalRecord } from '#machines/decide/progress.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { Seats } from './seats.ts';

const quiet = new AbortController().signal;
const at = (second: number): Instant => seconds(second) as number as Instant;

test('seats are given in the order of the line; who no longer wants one is passed over', async () => {
  const seats = new Seats(1);
  expect(await seats.take(quiet)).toBe('at once');
  const gone = new AbortController();
  const [second, third] = [seats.take(gone.signal), seats.take(quiet)];
  expect(seats.isWanted).toBe(true);
  gone.abort();
  expect(await second).toBeUndefined();
  seats.giveBack();
  expect(await third).toBe('later');
  expect(seats.isWanted).toBe(false);
  expect(await seats.take(AbortSignal.abort())).toBeUndefined();
});

const task = { step: 's', node: 'n', attempt: 1 };
const staging: JournalRecord = { type: 'staging', ...task, at: at(0) };
const launched: JournalRecord = { type: 'intent', ...task, fingerprint: '', at: at(1) };
const done: JournalRecord = { type: 'result', ...task, outcome: { type: 'succeeded' }, at: at(2) };

test.for<[string, readonly JournalRecord[], boolean, boolean]>([
  ['who follows a script while others wait', [staging, launched], true, true],
  ['nobody, while nobody waits', [staging, launched], false, false],
  ['nobody who sends files, which would begin anew', [staging], true, false],
  ['nobody who is between two steps', [staging, launched, done], true, false],
])('room is made by: %s', async ([, records, isWanted, expected]) => {
  const clock = manualClock(0);
  const seats = new Seats(1);
  await seats.take(quiet);
  const left = new AbortController();
  const waiting = isWanted ? seats.take(left.signal) : undefined;
  let hasYielded = false;
  const progress = replay(records);
  const stop = seats.share(
    clock,
    () => progress,
    () => (hasYielded = true),
  );
  clock.advance(seconds(8));
  expect(hasYielded).toBe(false);
  clock.advance(seconds(8));
  expect(hasYielded).toBe(expected);
  stop();
  left.abort();
  await waiting;
});
