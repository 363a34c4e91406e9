import { expect, test } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

test('gives the answer, and throws the reason when the signal aborts before it', async () => {
  const stop = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), stop.signal)).toBe(1);
  const waiting = unlessAborted(new Promise(() => undefined), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(unlessAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('stopped');
});

test('an answer that fails after the abort is no unhandled rejection', async () => {
  const stop = new AbortController();
  const asked = Promise.withResolvers<number>();
  const waiting = unlessAborted(asked.promise, stop.signal);
  stop.abort(new Error('stopped'));
  asked.reject(new Error('too late'));
  await expect(waiting).rejects.toThrow('stopped');
});
