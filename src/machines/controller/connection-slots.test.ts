import { expect, test } from 'vitest';
import { seconds, type Instant } from '#base/time.ts';
import { replay, type JournalRecord } from '#machines/decide/progress.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { ConnectionSlots } from './connection-slots.ts';

const quiet = new AbortController().signal;
const at = (second: number): Instant => seconds(second) as number as Instant;

test('slots are given in the order of arrival; one whose signal is aborted is passed over', async () => {
  const slots = new ConnectionSlots(1);
  expect(await slots.take(quiet)).toBe('at once');
  const gone = new AbortController();
  const [second, third] = [slots.take(gone.signal), slots.take(quiet)];
  expect(slots.hasWaiting).toBe(true);
  gone.abort();
  expect(await second).toBeUndefined();
  slots.release();
  expect(await third).toBe('later');
  expect(slots.hasWaiting).toBe(false);
  expect(await slots.take(AbortSignal.abort())).toBeUndefined();
});

const task = { step: 's', node: 'n', attempt: 1 };
const staging: JournalRecord = { type: 'staging', ...task, at: at(0) };
const launched: JournalRecord = { type: 'intent', ...task, fingerprint: '', at: at(1) };
const before: JournalRecord = { ...launched, step: 'earlier', at: at(-9) };
const done: JournalRecord = { type: 'result', ...task, outcome: { type: 'succeeded' }, at: at(2) };

test.for<[string, readonly JournalRecord[], boolean, boolean]>([
  ['who follows a script while others wait', [staging, launched], true, true],
  ['none, while none waits', [staging, launched], false, false],
  ['none that sends files, which would start again', [staging], true, false],
  [
    'who waits for an earlier script while others wait',
    [before, { type: 'opened', run: 'r', at: at(0) }, staging],
    true,
    true,
  ],
  ['none that is between two steps', [staging, launched, done], true, false],
])('room is made by: %s', async ([, records, hasWaiting, expected]) => {
  const clock = manualClock(0);
  const slots = new ConnectionSlots(1);
  await slots.take(quiet);
  const left = new AbortController();
  const waiting = hasWaiting ? slots.take(left.signal) : undefined;
  let hasYielded = false;
  const progress = replay(records);
  const stop = slots.share(
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
