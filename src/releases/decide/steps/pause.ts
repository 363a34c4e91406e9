import { formatTime, parseTime, type Instant } from '#base/time.ts';

/** Why a release is paused: a pause step, a failed hook step, or a user. */
export type ReleasePauseReason = 'PausedByCanaryPauseStep' | 'PausedByStepBasedHook' | 'PausedByUser';
export type PauseCondition = { readonly reason: string; readonly startTime?: string };

export const hasPause = (conditions: readonly PauseCondition[], reason: ReleasePauseReason): boolean =>
  conditions.some((each) => each.reason === reason);

export const pauseFrom = (reason: ReleasePauseReason, start: Instant): PauseCondition => ({
  reason,
  startTime: formatTime(start),
});

export function startOfPause(
  conditions: readonly PauseCondition[],
  reason: ReleasePauseReason,
): Instant | undefined {
  const start = conditions.find((each) => each.reason === reason)?.startTime;
  return start === undefined ? undefined : parseTime(start);
}
