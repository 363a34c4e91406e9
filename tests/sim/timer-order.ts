import { seededRandom } from '#base/random.ts';

/** Seeds before this one keep the order with which they once found something. */
const firstSeed = 4_000_000;

/** Timers of the same moment fire in any order. Undefined: in the order in which they were set. */
export const timerOrder = (seed: number): (() => number) | undefined =>
  seed < firstSeed ? undefined : seededRandom(seed + 6_000_011).next;
