import { seededRandom } from '#base/random.ts';

/** The first seed with timers in any order. Seeds before keep the order, and the plans, with which they found something. */
export const firstOfAnyOrder = 4_000_000;

/** Timers of the same moment fire in any order. Undefined: in the order in which they were set. */
export function timerOrder(seed: number): (() => number) | undefined {
  if (seed < firstOfAnyOrder) return undefined;
  const random = seededRandom(seed + 6_000_011);
  return () => random.next();
}
