import { hostname } from 'node:os';
import { join } from 'node:path';
import { seconds } from '#base/time.ts';
import { sha256 } from '#machines/cli/files/sources.ts';
import type { ScriptOutputs } from '#machines/cli/outputs/script-outputs.ts';
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
  readonly outputs?: () => Promise<ScriptOutputs>;
};

/** How the controllers of Clusters and Machines reach machines and files. */
export function machineIo({
  filesRoot,
  dataDir,
  ownFiles,
  lease = { namespace: 'boathook-system' },
  outputs = () => loadOutputs(dataDir),
}: MachineIoOptions): MachineIo {
  const logins = slots(mostLogins);
  let store: ScriptOutputs | undefined;
  return {
    ...rootedSources(filesRoot, ownFiles),
    namespace: lease.namespace,
    sha256,
    secret: (text) => new Secret(text),
    holder: `${hostname()} ${process.pid}`,
    underWay: new Map(),
    newest: new Newest(),
    logFile(place) {
      if (store === undefined) throw new Error('the output of a script that no machine was opened for');
      return store.begin(place);
    },
    logEnded: (place) => store?.end(place),
    logsEnded: (place) => store?.endAll(place),
    async open(about, keys) {
      store ??= await outputs();
      const machines = await openOperation(dataDir, about, keys);
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

type OpenParameters = Parameters<MachineIo['open']>;

async function openOperation(
  dataDir: string,
  { cluster, operation }: OpenParameters[0],
  keys: OpenParameters[1],
): ReturnType<MachineIo['open']> {
  // Loaded when it is needed: a control plane without Clusters need not wait for it.
  const [{ openMachines }, { clusterFolder }] = await Promise.all([
    import('#edge/ssh/machines.ts'),
    import('#machines/cli/files/folders.ts'),
  ]);
  return openMachines({
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
}

/** Loaded when it is needed, as above. */
export async function loadOutputs(dataDir: string): Promise<ScriptOutputs> {
  const { ScriptOutputs: Outputs } = await import('#machines/cli/outputs/script-outputs.ts');
  return new Outputs(dataDir);
}
