import { millis, type Millis } from '#base/time.ts';

export type BackOffSpans = {
  readonly first: Millis;
  readonly longest: Millis;
};

const ofKeys: BackOffSpans = { first: millis(5), longest: millis(60_000) };

/** How long to wait after so many failures in a row: doubling up to the longest, and up to a half more. */
export function backOff(failures: number, chance: number, { first, longest }: BackOffSpans = ofKeys): Millis {
  const span = Math.min(first * 2 ** Math.min(Math.max(failures, 1) - 1, 20), longest);
  return millis(span * (1 + chance / 2));
}
