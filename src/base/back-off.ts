import { millis, type Millis } from './time.ts';

export type BackOffSpans = { readonly first: Millis; readonly longest: Millis };

/** More doublings than any span needs; beyond them the power of two would grow without use. */
const mostDoublings = 30;

/** The delay after so many failures in a row: doubled with each, at most the longest. Without failures it is 0. */
export const exponentialDelay = (failures: number, { first, longest }: BackOffSpans): Millis =>
  millis(failures < 1 ? 0 : Math.min(first * 2 ** Math.min(failures - 1, mostDoublings), longest));

const ofWorkQueues: BackOffSpans = { first: millis(5), longest: millis(60_000) };

/** An exponential delay with jitter: `chance`, from 0 to 1, adds up to a half. */
export const backOff = (failures: number, chance: number, spans: BackOffSpans = ofWorkQueues): Millis =>
  millis(exponentialDelay(Math.max(failures, 1), spans) * (1 + chance / 2));
