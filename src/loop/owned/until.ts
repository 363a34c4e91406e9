import { later, millis, type Clock, type Instant, type Millis } from '#base/time.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';

/** Sleep until a moment, or until something changes. */
export const until = (clock: Clock, at: Instant | undefined): Next =>
  at === undefined ? settled : wake(millis(Math.max(1, at - clock.now())));

/** The same, but not longer than something is waited for that should have been seen by then. */
export function untilSeen(clock: Clock, at: Instant | undefined, pending: Millis): Next {
  if (pending === 0) return until(clock, at);
  const given = later(clock.now(), pending);
  return until(clock, at === undefined || given < at ? given : at);
}
