import { expect, test } from 'vitest';
import { millis, minutes } from '#base/time.ts';
import { systemClock } from './clock.ts';
import { startChild, moduleUrl } from './testing/child.ts';

const forever = new AbortController().signal;

test('a sleep ends after its span', async () => {
  const before = systemClock.now();
  await systemClock.sleep(millis(5), forever);
  expect(systemClock.now() - before).toBeGreaterThanOrEqual(4);
});

test('an aborted sleep rejects with the reason', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const sleep = systemClock.sleep(minutes(10), stop.signal);
  stop.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  await expect(systemClock.sleep(millis(0), stop.signal)).rejects.toBe(reason);
});

test('a cancelled task does not run', async () => {
  const ran: string[] = [];
  const cancel = systemClock.after(millis(1), () => ran.push('cancelled'));
  systemClock.after(millis(2), () => ran.push('kept'));
  cancel();
  await systemClock.sleep(millis(10), forever);
  expect(ran).toEqual(['kept']);
});

test('a span beyond the timer’s range does not fire at once', async () => {
  const ran: string[] = [];
  const cancel = systemClock.after(millis(3_000_000_000), () => ran.push('early'));
  await systemClock.sleep(millis(5), forever);
  cancel();
  expect(ran).toEqual([]);
});

test('a waiting timer does not keep the process alive', async () => {
  const child = startChild(`
    import { systemClock } from '${moduleUrl('clock.ts')}';
    systemClock.after(3_600_000, () => undefined);
    console.log('set');
  `);
  expect((await child.lines.next()).value).toBe('set');
  expect((await child.lines.next()).done).toBe(true);
});
