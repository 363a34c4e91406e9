import { hostname } from 'node:os';
import { join } from 'node:path';
import { seconds } from '#base/time.ts';
import { clusterFolder, logPath, operationFolder } from '#cli/cluster/folders.ts';
import { sha256 } from '#cli/cluster/sources.ts';
import type { MachineDoors } from '#control/machine-objects/machine-doors.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { Secret } from '#edge/secret.ts';
import { openMachines } from '#edge/ssh/machines.ts';
import { bookedHostKeys } from './host-keys.ts';
import { rootedSources } from './rooted-sources.ts';

/** How the controllers of Clusters and Machines reach machines and files. */
export function machineDoors({
  filesRoot,
  dataDir,
}: {
  readonly filesRoot: string | undefined;
  readonly dataDir: string;
}): MachineDoors {
  return {
    ...rootedSources(filesRoot),
    sha256,
    secret: (text) => new Secret(text),
    holder: `${hostname()} ${process.pid}`,
    logFile: ({ cluster, operation, step, node, attempt }) =>
      logPath(operationFolder(clusterFolder(dataDir, cluster), operation), node, `${step}.${attempt}`),
    open: ({ cluster, operation }, keys) =>
      openMachines({
        stateDir: '/var/lib/boathook',
        localStateDir: join(clusterFolder(dataDir, cluster), 'jobs'),
        cluster,
        operation,
        grace: seconds(10),
        clock: systemClock,
        connector: {
          clock: systemClock,
          random: systemRandom,
          timeout: seconds(20),
          agentSocket: undefined,
          hostKeys: bookedHostKeys(keys),
        },
      }),
  };
}
