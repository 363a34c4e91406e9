import { join } from 'node:path';
import type { Child } from './child-process.ts';
import { Connection, type Address } from './connection.ts';
import { addressIn, portOpen } from './launched.ts';
import { untilReady } from './until-ready.ts';

export type StartedCluster = {
  readonly address: Address;
  readonly kubeconfig: string;
  readonly connection: Connection;
};

/** Waits until a `boathook up` with this data directory is ready, and connects to it. */
export async function startedCluster(server: Child, folder: string): Promise<StartedCluster> {
  await portOpen(server);
  const kubeconfig = join(folder, 'kubeconfig');
  const address = addressIn(kubeconfig);
  await untilReady(address, server);
  return { address, kubeconfig, connection: await Connection.open(address) };
}
