import type { Command } from 'commander';
import { formatDuration, parseDuration } from '#base/duration.ts';
import { seconds, type Millis } from '#base/time.ts';
import { ExitError } from './exit.ts';
import { flagsOf } from './flags.ts';
import type { Given } from './given.ts';

/** How long a Lease is respected, how long its holder trusts it, and how often it is renewed. */
export type LeaseTimes = {
  readonly leaseDuration: Millis;
  readonly renewDeadline: Millis;
  readonly retryPeriod: Millis;
};

const usual: LeaseTimes = { leaseDuration: seconds(15), renewDeadline: seconds(10), retryPeriod: seconds(2) };

/** Adds the flags of the leader election. */
export const leaseOptions = (command: Command): Command =>
  command
    .option(
      '--lease-duration <duration>',
      'after a crash of the leader another process takes over in this time, in whole seconds',
      formatDuration(usual.leaseDuration),
    )
    .option(
      '--renew-deadline <duration>',
      'a leader that cannot renew the Lease for this long stops; less than --lease-duration',
      formatDuration(usual.renewDeadline),
    )
    .option(
      '--retry-period <duration>',
      'time between two renewals of the Lease; less than --renew-deadline',
      formatDuration(usual.retryPeriod),
    );

export function leaseTimes(given: Given): LeaseTimes {
  const times = {
    leaseDuration: spanOf(given, 'leaseDuration', '--lease-duration') ?? usual.leaseDuration,
    renewDeadline: spanOf(given, 'renewDeadline', '--renew-deadline') ?? usual.renewDeadline,
    retryPeriod: spanOf(given, 'retryPeriod', '--retry-period') ?? usual.retryPeriod,
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

function spanOf(given: Given, name: string, flag: string): Millis | undefined {
  const text = flagsOf(given).text(name);
  if (text === undefined) return undefined;
  const span = parseDuration(text);
  if (span !== undefined && span > 0) return span;
  throw new ExitError(2, `${flag} ${text} is not a duration above 0: write it like 15s or 500ms`);
}
