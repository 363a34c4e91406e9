import { hostname } from 'node:os';
import { join } from 'node:path';
import { seconds } from '#base/time.ts';
import { clusterFolder } from '#machines/cli/files/folders.ts';
import { sha256 } from '#machines/cli/files/sources.ts';
import { ScriptOutputs } from '#machines/cli/outputs/script-outputs.ts';
import type { MachineIo } from '#machines/controller/machine-io.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { Secret } from '#edge/secret.ts';
import { slots } from '#edge/ssh/slots.ts';
import { Newest } from '#loop/owned/newest.ts';
import { bookedHostKeys } from './host-keys.ts';
import { rootedSources } from './rooted-sources.ts';

/** Concurrent logins of all operations together: more would delay each other. */
const mostLogins = 16;

type MachineIoOptions = {
  readonly filesRoot: string | undefined;
  readonly dataDir: string;
  /** A folder of the program itself whose files may be sources too. */
  readonly ownFiles?: string;
  /** The Lease of the controllers; they run in its namespace. */
  readonly lease?: { readonly namespace: string };
  /** The outputs of scripts, where others read them too. */
  readonly outputs?: ScriptOutputs;
};

/** How the controllers of Clusters and Machines reach machines and files. */
export function machineIo({
  filesRoot,
  dataDir,
  ownFiles,
  lease = { namespace: 'boathook-system' },
  outputs = new ScriptOutputs(dataDir),
}: MachineIoOptions): MachineIo {
  const logins = slots(mostLogins);
  return {
    ...rootedSources(filesRoot, ownFiles),
    namespace: lease.namespace,
    sha256,
    secret: (text) => new Secret(text),
    holder: `${hostname()} ${process.pid}`,
    underWay: new Map(),
    newest: new Newest(),
    logFile: (place) => outputs.begin(place),
    logEnded: (place) => outputs.end(place),
    logsEnded: (place) => outputs.endAll(place),
    open: async ({ cluster, operation }, keys) => {
      // Loaded when it is needed: a control plane without Clusters need not wait for it.
      const { openMachines } = await import('#edge/ssh/machines.ts');
      const machines = openMachines({
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
      });
      return {
        ...machines,
        async reach(target, node, signal) {
          await logins.enter(signal);
          try {
            return await machines.reach(target, node, signal);
          } finally {
            logins.leave();
          }
        },
      };
    },
  };
}
