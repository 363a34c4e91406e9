import type { Clock, Instant } from '#base/time.ts';

/** A time by both clocks: the wall clock, which can be set, and the monotonic one, which may stop while the machine sleeps. */
export type ClockReading = { readonly now: Instant; readonly steady: number };

export function readingOf(clock: Clock): ClockReading {
  const now = clock.now();
  return { now, steady: clock.steady?.() ?? now };
}

/** The time since then, by the clock that shows more. */
export function timeSince(clock: Clock, moment: ClockReading): number {
  const { now, steady } = readingOf(clock);
  return Math.max(now - moment.now, steady - moment.steady);
}
