import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type Child } from '../apiserver/child-process.ts';
import { mustBe, type Address } from '../apiserver/connection.ts';
import { createNamespace } from '../apiserver/objects.ts';
import { startedCluster } from '../apiserver/started-cluster.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A control plane whose hook engine runs: in the same process, or in one beside it. */
export type HooksCluster = {
  readonly address: Address;
  readonly pids: readonly number[];
  stop(): Promise<void>;
};

export type HooksClusterOptions = {
  readonly folder: string;
  readonly processes: 1 | 2;
  readonly profile: string | undefined;
};

/** As a user starts it: TLS, fsync on, all controllers; without simulated nodes, which have nothing to do here. */
export async function startHooksCluster({
  folder,
  processes,
  profile,
}: HooksClusterOptions): Promise<HooksCluster> {
  const options = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const start = (args: readonly string[]): Promise<Child> =>
    startChild(join(root, 'boathook'), args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...options },
    });
  const flags = ['--nodes', '0', ...(processes === 2 ? ['--controllers', 'none'] : [])];
  const server = await start(['up', '--data-dir', folder, '--port', '0', ...flags]);
  const { address, kubeconfig, connection } = await startedCluster(server, folder);
  mustBe(await connection.send(createNamespace), 201, 409);
  connection.close();
  const children = [server];
  if (processes === 2) {
    const controller = await start([
      'controller',
      '--kubeconfig',
      kubeconfig,
      '--outgoing-allow',
      '127.0.0.0/8',
    ]);
    children.push(controller);
    await says(controller, 'running hookrun');
  }
  return {
    address,
    pids: children.map(({ pid }) => pid),
    async stop() {
      for (const child of children.toReversed()) await child.stop();
    },
  };
}

async function says({ process: child }: Child, text: string): Promise<void> {
  if (child.stdout === null) throw new Error('the output of boathook controller is not read');
  for (let said = ''; !said.includes(text);) {
    const [piece] = (await once(child.stdout, 'data')) as [Buffer];
    said += piece.toString();
  }
}
