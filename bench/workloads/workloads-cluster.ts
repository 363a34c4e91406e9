import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type Child } from '../apiserver/child-process.ts';
import { mustBe, type Address } from '../apiserver/connection.ts';
import { createNamespace, createServiceAccount } from '../apiserver/objects.ts';
import { startedCluster } from '../apiserver/started-cluster.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A whole cluster whose releases are kept in the same process, or in one beside it. */
export type WorkloadsCluster = {
  readonly address: Address;
  readonly kubeconfig: string;
  /** All processes. */
  readonly pids: readonly number[];
  /** The one that keeps releases. */
  readonly controller: () => number;
  /** Ends the process that keeps releases. */
  stopController(): Promise<void>;
  /** Ends the process that keeps releases, if it runs, and starts another. */
  restartController(): Promise<void>;
  stop(): Promise<void>;
};

export type WorkloadsClusterOptions = {
  readonly folder: string;
  readonly nodes: number;
  readonly processes: 1 | 2;
  /** Where CPU profiles go. */
  readonly profile: string | undefined;
};

/** As a user starts it: TLS, fsync on, all controllers, pods that are ready at once. */
export async function startWorkloadsCluster(options: WorkloadsClusterOptions): Promise<WorkloadsCluster> {
  const { folder, nodes, processes, profile } = options;
  const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const start = (args: readonly string[]): Promise<Child> =>
    startChild(join(root, 'boathook'), [...args, '--log-level', 'warn'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...profiling },
    });
  const where = ['--data-dir', folder, '--port', '0'];
  const flags = ['--nodes', String(nodes), '--profile', 'instant'];
  const server = await start([
    'up',
    ...where,
    ...flags,
    ...(processes === 2 ? ['--controllers', 'none'] : []),
  ]);
  const { address, kubeconfig, connection } = await startedCluster(server, folder);
  mustBe(await connection.send(createNamespace), 201);
  mustBe(await connection.send(createServiceAccount), 201, 409);
  connection.close();
  const startController = async (): Promise<Child> => {
    const access = ['--kubeconfig', kubeconfig, '--outgoing-allow', '127.0.0.0/8', '--no-leader-election'];
    const child = await start(['controller', ...access]);
    await says(child, 'running ');
    return child;
  };
  let own = processes === 2 ? await startController() : undefined;
  return {
    address,
    kubeconfig,
    get pids() {
      return [server, ...(own === undefined ? [] : [own])].map(({ pid }) => pid);
    },
    controller: () => (own ?? server).pid,
    async stopController() {
      await own?.stop();
      own = undefined;
    },
    async restartController() {
      await own?.stop();
      own = await startController();
    },
    async stop() {
      await own?.stop();
      await server.stop();
    },
  };
}

export async function says({ process: child }: Child, text: string): Promise<void> {
  if (child.stdout === null) throw new Error('the output of boathook controller is not read');
  for (let said = ''; !said.includes(text);) {
    const [piece] = (await once(child.stdout, 'data')) as [Buffer];
    said += piece.toString();
  }
}
