import { millis, minutes, seconds, type Millis } from '#base/time.ts';

const first = seconds(10);
const longest = minutes(5);
/** A run this long is healthy: the next failure is the first again. */
export const healthyAfter = minutes(10);

/** Doubling from ten seconds to five minutes; `turn` counts from 1. */
export const backOffSpan = (result: number): Millis =>
  result < 1 ? millis(0) : millis(Math.min(first * 2 ** Math.min(result - 1, 10), longest));
