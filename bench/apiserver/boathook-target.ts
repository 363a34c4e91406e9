import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadKubeconfig } from '#edge/kube/kubeconfig.ts';
import { startChild, type Child } from './child-process.ts';
import type { Address } from './connection.ts';
import type { Target } from './target.ts';
import { untilReady } from './until-ready.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `./boathook up` as a user starts it, but for the port, the folder and the nodes: those have a benchmark of their own. */
export function boathookTarget(profile: string | undefined): Target {
  return {
    name: 'boathook',
    async start(folder) {
      const began = performance.now();
      const child = await startChild(
        join(root, 'boathook'),
        ['up', '--data-dir', folder, '--port', '0', '--nodes', '0'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, ...profiling(profile) },
        },
      );
      await portOpen(child);
      const address = addressIn(join(folder, 'kubeconfig'));
      await untilReady(address, child);
      const startSeconds = (performance.now() - began) / 1000;
      return { address, pids: [child.pid], startSeconds, stop: () => child.stop() };
    },
  };
}

const profiling = (folder: string | undefined): NodeJS.ProcessEnv =>
  folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };

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
