import type { Command } from 'commander';

/** Adds the flags about the times of the leader election. */
export const leaseOptions = (command: Command): Command =>
  command
    .option(
      '--lease-duration <duration>',
      'after a crash of the leader another process takes over in this time, in whole seconds',
      '15s',
    )
    .option(
      '--renew-deadline <duration>',
      'a leader that cannot renew the Lease for this long stops; less than --lease-duration',
      '10s',
    )
    .option(
      '--retry-period <duration>',
      'time between two renewals of the Lease; less than --renew-deadline',
      '2s',
    );
