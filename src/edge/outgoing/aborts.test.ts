import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from './aborts.ts';

test('all who listen are told once, and nobody who has gone', () => {
  const control = new AbortController();
  const told: string[] = [];
  onAbort(control.signal, () => told.push('a'));
  const forget = onAbort(control.signal, () => told.push('b'));
  onAbort(control.signal, () => told.push('c'));
  expect(getEventListeners(control.signal, 'abort')).toHaveLength(1);
  forget();
  control.abort();
  expect(told).toEqual(['a', 'c']);
});

test('a signal that nobody listens to any more keeps nothing', () => {
  const { signal } = new AbortController();
  const [first, second] = [onAbort(signal, () => undefined), onAbort(signal, () => undefined)];
  first();
  first();
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  second();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const told: string[] = [];
  const third = onAbort(signal, () => told.push('again'));
  second();
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  third();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
