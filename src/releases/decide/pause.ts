import type { Step } from '#releases/kinds/canary.ts';
import { parseDuration } from '#base/duration.ts';
import { formatTime, instant, parseTime, seconds, type Instant, type Millis } from '#base/time.ts';

export const pauseReasons = ['PausedByCanaryPauseStep', 'PausedByStepBasedHook', 'PausedByUser'] as const;
export type ReleasePauseReason = (typeof pauseReasons)[number];
export type PauseCondition = { readonly reason: string; readonly startTime?: string };

export const hasPause = (conditions: readonly PauseCondition[], reason: ReleasePauseReason): boolean =>
  conditions.some((each) => each.reason === reason);

export const pauseFrom = (reason: ReleasePauseReason, now: Instant): PauseCondition => ({
  reason,
  startTime: formatTime(now),
});

/** Times in a status have no fractions: the next whole second, so that no timed pause is shorter than it should be. */
export const timedPauseFrom = (now: Instant): PauseCondition =>
  pauseFrom('PausedByCanaryPauseStep', instant(Math.ceil(now / 1000) * 1000));

/** How long a pause step lasts; undefined: until a person goes on. */
export function pauseSpan({ pause }: Step): Millis | undefined {
  const duration = pause?.duration;
  if (duration === undefined) return undefined;
  return typeof duration === 'number' ? seconds(duration) : (parseDuration(duration) ?? seconds(0));
}

/** When a timed pause is over; undefined while it has not begun, or when only a person ends it. */
export function pauseEnd(step: Step, conditions: readonly PauseCondition[]): Instant | undefined {
  const span = pauseSpan(step);
  const since = conditions.find(({ reason }) => reason === 'PausedByCanaryPauseStep')?.startTime;
  const start = since === undefined ? undefined : parseTime(since);
  return span === undefined || start === undefined ? undefined : instant(start + span);
}
