import type { Clock, Instant } from '#base/time.ts';

/** A moment by both clocks: the one that people set, and the one that runs steadily but may stand while the machine sleeps. */
export type ClockReading = { readonly now: Instant; readonly steady: number };

export function readingOf(clock: Clock): ClockReading {
  const now = clock.now();
  return { now, steady: clock.steady?.() ?? now };
}

/** How long ago that was, by the clock that says more. */
export function timeSince(clock: Clock, moment: ClockReading): number {
  const { now, steady } = readingOf(clock);
  return Math.max(now - moment.now, steady - moment.steady);
}
