import { parseDuration } from '#base/duration.ts';
import type { Millis } from '#base/time.ts';
import { ExitError } from './exit.ts';
import { flagsOf } from './flags.ts';
import type { Given } from './given.ts';

/** How long a Lease is respected, how long its holder trusts it, and how often it is renewed. */
export type LeaseTimes = {
  readonly leaseDuration: Millis;
  readonly renewDeadline: Millis;
  readonly retryPeriod: Millis;
};

/** From the flags, which have defaults. */
export function leaseTimes(given: Given): LeaseTimes {
  const times = {
    leaseDuration: spanOf(given, 'leaseDuration', '--lease-duration'),
    renewDeadline: spanOf(given, 'renewDeadline', '--renew-deadline'),
    retryPeriod: spanOf(given, 'retryPeriod', '--retry-period'),
  };
  const { leaseDuration, renewDeadline, retryPeriod } = times;
  if (leaseDuration < 1000 || leaseDuration % 1000 !== 0)
    throw new ExitError(2, '--lease-duration is in whole seconds, at least 1s: a Lease has no smaller unit');
  if (renewDeadline >= leaseDuration)
    throw new ExitError(
      2,
      '--renew-deadline must be less than --lease-duration: the leader stops before another process takes over',
    );
  if (retryPeriod >= renewDeadline)
    throw new ExitError(
      2,
      '--retry-period must be less than --renew-deadline: a renewal may have to be repeated',
    );
  return times;
}

function spanOf(given: Given, name: string, flag: string): Millis {
  const text = flagsOf(given).text(name) ?? '';
  const span = parseDuration(text);
  if (span !== undefined && span > 0) return span;
  throw new ExitError(2, `${flag} ${text} is not a duration above 0: write it like 15s or 500ms`);
}
