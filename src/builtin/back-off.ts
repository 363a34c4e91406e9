import { millis, type Millis } from '#base/time.ts';

const first = 5;
const longest = 60_000;

/** How long to wait after the given number of failures in a row: doubling from 5 ms to a minute, up to a half more. */
export function backOff(failures: number, chance: number): Millis {
  const span = Math.min(first * 2 ** Math.min(failures - 1, 20), longest);
  return millis(span * (1 + chance / 2));
}
