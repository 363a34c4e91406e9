import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../apiserver/child-process.ts';
import { Connection, mustBe, type Address } from '../apiserver/connection.ts';
import { addressIn, portOpen } from '../apiserver/launched.ts';
import { createNamespace, createServiceAccount } from '../apiserver/objects.ts';
import { untilReady } from '../apiserver/until-ready.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A whole cluster in one process, with a namespace for the pods. */
export type Cluster = {
  readonly address: Address;
  readonly pids: readonly number[];
  stop(): Promise<void>;
};

export type ClusterOptions = {
  readonly folder: string;
  readonly nodes: number;
  /** Where CPU profiles go. */
  readonly profile: string | undefined;
};

/** `./boathook up` as a user starts it, on a fresh folder, and ready: its nodes are too. */
export async function startCluster({ folder, nodes, profile }: ClusterOptions): Promise<Cluster> {
  const flags = ['--nodes', String(nodes), '--profile', 'instant'];
  const options = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const child = await startChild(
    join(root, 'boathook'),
    ['up', '--data-dir', folder, '--port', '0', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...options } },
  );
  await portOpen(child);
  const address = addressIn(join(folder, 'kubeconfig'));
  await untilReady(address, child);
  const connection = await Connection.open(address);
  mustBe(await connection.send(createNamespace), 201);
  mustBe(await connection.send(createServiceAccount), 201, 409);
  connection.close();
  return { address, pids: [child.pid], stop: () => child.stop() };
}
