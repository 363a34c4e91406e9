import type { Clock, Instant } from '#base/time.ts';

/** A moment by both clocks: the one that people set, and the one that runs steadily but may stand while the machine sleeps. */
export type Moment = { readonly now: Instant; readonly steady: number };

export function momentOf(clock: Clock): Moment {
  const now = clock.now();
  return { now, steady: clock.steady?.() ?? now };
}

/** How long ago that was, by the clock that says more. */
export function timeSince(clock: Clock, moment: Moment): number {
  const { now, steady } = momentOf(clock);
  return Math.max(now - moment.now, steady - moment.steady);
}
