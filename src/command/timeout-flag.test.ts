import { expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import { timeoutIn, withinTimeout } from './timeout-flag.ts';

test.for([
  [undefined, undefined],
  ['90s', 90_000],
  ['1.5ms', 2],
  ['9999h', 2 ** 31 - 1],
])('--timeout %s', ([text, span]) => {
  expect(timeoutIn(text as string | undefined)).toBe(span);
});

test.for(['', '0', '0s', 'soon', '-3s', '10'])('--timeout %s is refused', (text) => {
  expect(() => timeoutIn(text)).toThrow(`--timeout ${text} is not a duration`);
});

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('the limit ends the task, and only the limit is late', async () => {
  const { signal } = new AbortController();
  expect(await withinTimeout(millis(1), signal, aborted)).toEqual({ type: 'late' });
  const quick = (): Promise<number> => Promise.resolve(7);
  expect(await withinTimeout(undefined, signal, quick)).toEqual({ type: 'ended', value: 7 });
  expect(await withinTimeout(millis(60_000), signal, quick)).toEqual({ type: 'ended', value: 7 });
  const broken = (): Promise<number> => Promise.reject(new Error('broken'));
  await expect(withinTimeout(millis(60_000), signal, broken)).rejects.toThrow('broken');
});

test('an interruption is not the limit', async () => {
  const stop = new AbortController();
  const ended = withinTimeout(millis(60_000), stop.signal, aborted);
  stop.abort(new Error('interrupted'));
  await expect(ended).rejects.toThrow('interrupted');
});
