import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../apiserver/child-process.ts';
import { mustBe, openAll, type Address, type Ask } from '../apiserver/connection.ts';
import { doAll } from '../apiserver/load.ts';
import { createNamespace, createServiceAccount } from '../apiserver/objects.ts';
import { startedCluster } from '../apiserver/started-cluster.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A server in a process of its own, as a user starts it. */
export type CliCluster = {
  readonly address: Address;
  readonly kubeconfig: string;
  /** Sends each of these requests once, over several connections. */
  fill(asks: Iterable<Ask>): Promise<void>;
  stop(): Promise<void>;
};

export async function startCliCluster(folder: string, flags: readonly string[]): Promise<CliCluster> {
  const server = await startChild(
    join(root, 'boathook'),
    ['up', '--data-dir', folder, '--port', '0', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { address, kubeconfig, connection } = await startedCluster(server, folder);
  mustBe(await connection.send(createNamespace), 201);
  mustBe(await connection.send(createServiceAccount), 201, 409);
  connection.close();
  return {
    address,
    kubeconfig,
    async fill(asks) {
      const connections = await openAll(address, 16);
      await doAll(connections, asks);
      for (const each of connections) each.close();
    },
    stop: () => server.stop(),
  };
}
