import { createInterface } from 'node:readline';
import { loadKubeconfig } from '#edge/kube/kubeconfig.ts';
import type { Child } from './child-process.ts';
import type { Address } from './connection.ts';

/** Settles when the server says where it listens; the kubeconfig is in place by then. */
export async function portOpen({ process: child }: Child): Promise<void> {
  if (child.stdout === null) throw new Error('the output of boathook up is not read');
  const lines = createInterface(child.stdout);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('API server at ')) resolve();
    });
    lines.on('close', () => reject(new Error('boathook up ended before it listened')));
  });
}

/** Where a server is and who may ask it, as its kubeconfig says. */
export function addressIn(kubeconfig: string): Address {
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
