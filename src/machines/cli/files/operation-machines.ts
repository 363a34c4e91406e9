import { homedir } from 'node:os';
import { join } from 'node:path';
import { seconds } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { openHostKeys } from '#edge/ssh/host-keys.ts';
import { openMachines, type Machines } from '#edge/ssh/machines.ts';
import { nameOf } from '#edge/ssh/target.ts';
import { knownHostsRecord } from './folders.ts';
import type { RunOptions } from './options.ts';

type Place = {
  readonly id: string;
  readonly cluster: string;
  readonly clusterFolder: string;
  readonly options: RunOptions;
};

/** The machines of one operation, by the options of the command. */
export function openOperationMachines(
  { id, cluster, clusterFolder, options }: Place,
  emit: (event: ProgressEvent) => void,
): Machines {
  const usual = [join(homedir(), '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts'];
  return openMachines({
    stateDir: options.stateDir,
    localStateDir: join(clusterFolder, 'jobs'),
    cluster,
    operation: id,
    grace: seconds(10),
    clock: systemClock,
    connector: {
      clock: systemClock,
      random: systemRandom,
      timeout: options.connectTimeout,
      agentSocket: process.env['SSH_AUTH_SOCK'],
      hostKeys: openHostKeys({
        files: options.knownHosts === undefined ? usual : [options.knownHosts],
        record: knownHostsRecord(options.dataDir),
        insecure: options.insecure,
      }),
      onFirstKey: (host, fingerprint) =>
        emit({
          type: 'notice',
          at: systemClock.now(),
          message: `${nameOf(host)} is seen for the first time: its SSH host key ${fingerprint} is recorded`,
        }),
    },
  });
}
