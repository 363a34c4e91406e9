import { seconds, type Millis } from '#base/time.ts';

const [shortest, longest] = [100, seconds(60)];

/** An invalid timeout is refused, not replaced by the default. */
export const timeoutProblem = (timeout: Millis): string | undefined =>
  timeout >= shortest && timeout <= longest ? undefined : 'must be from 100ms to 60s';

const maxDays = 30 * 86_400_000;

export const isResyncPeriod = (span: Millis): boolean => span >= seconds(1) && span <= maxDays;
