import { expect, test } from 'vitest';
import { leastHookInterval } from './hook-interval.ts';

test.for([
  ['', 100],
  ['100ms', 100],
  ['1s', 1000],
  ['0', 0],
  ['1h', 3_600_000],
] as const)('--min-hook-interval %j is %d ms', ([text, span]) => expect(leastHookInterval(text)).toBe(span));

test.for(['5', '-1s', '2h', 'soon'])('--min-hook-interval %j is refused', (text) => {
  expect(() => leastHookInterval(text)).toThrow(`--min-hook-interval ${text} is not a duration from 0 to 1h`);
});
