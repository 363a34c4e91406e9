import { fileURLToPath } from 'node:url';
import { startChild } from '../apiserver/child-process.ts';
import { mustBe, type Address, type Ask } from '../apiserver/connection.ts';
import { createNamespace } from '../apiserver/objects.ts';
import { startedCluster } from '../apiserver/started-cluster.ts';

const launcher = fileURLToPath(new URL('../../boathook', import.meta.url));

/** A control plane with nothing in it but the API server and, unless told otherwise, the controller of registrations. */
export type RegistrationsCluster = {
  readonly address: Address;
  readonly kubeconfig: string;
  readonly pids: readonly number[];
  /** Asks one thing, which must succeed. */
  ask(ask: Ask): Promise<string>;
  stop(): Promise<void>;
};

export type RegistrationsClusterOptions = {
  readonly folder: string;
  readonly profile: string | undefined;
  readonly controllers?: string;
};

/** As a user starts it: TLS, fsync on. */
export async function startRegistrationsCluster(
  options: RegistrationsClusterOptions,
): Promise<RegistrationsCluster> {
  const { folder, profile, controllers = 'crdregistration' } = options;
  const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const flags = ['--nodes', '0', '--kube-controllers', 'none', '--controllers', controllers];
  const server = await startChild(launcher, ['up', '--data-dir', folder, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...profiling },
  });
  const { address, kubeconfig, connection } = await startedCluster(server, folder);
  mustBe(await connection.send(createNamespace), 201, 409);
  return {
    address,
    kubeconfig,
    pids: [server.pid],
    ask: async (ask) => mustBe(await connection.send({ ...ask, keep: true }), 200, 201).text,
    async stop() {
      connection.close();
      await server.stop();
    },
  };
}
