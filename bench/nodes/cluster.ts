import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadKubeconfig } from '#edge/kube/kubeconfig.ts';
import { startChild, type Child } from '../apiserver/child-process.ts';
import { Connection, mustBe, type Address } from '../apiserver/connection.ts';
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

/** Settles when the server says where it listens; the kubeconfig is in place by then. */
async function portOpen({ process: child }: Child): Promise<void> {
  if (child.stdout === null) throw new Error('the output of boathook up is not read');
  const lines = createInterface(child.stdout);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('API server at ')) resolve();
    });
    lines.on('close', () => reject(new Error('boathook up ended before it listened')));
  });
}

function addressIn(kubeconfig: string): Address {
  const access = loadKubeconfig([kubeconfig]);
  const certificate = access?.user.certificate;
  if (access?.ca === undefined || certificate === undefined)
    throw new Error('boathook up wrote no usable kubeconfig');
  const { hostname, port } = new URL(access.server);
  return {
    host: hostname,
    port: Number(port),
    ca: access.ca,
    certificate: { cert: certificate.certificate, key: certificate.key.reveal() },
  };
}
