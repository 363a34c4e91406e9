import { seconds, type Millis } from '#base/time.ts';

const [shortest, longest] = [100, seconds(60)];

/** §6.7: a timeout that is no timeout is refused, not replaced. */
export const timeoutProblem = (timeout: Millis): string | undefined =>
  timeout >= shortest && timeout <= longest ? undefined : 'must be from 100ms to 60s';

const maxDays = 30 * 86_400_000;

export const isResyncPeriod = (span: Millis): boolean => span >= seconds(1) && span <= maxDays;
