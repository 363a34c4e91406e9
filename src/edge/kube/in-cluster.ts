import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { ClusterAccess } from './access.ts';

/** Where Kubernetes puts a pod's service account. */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export type PodEnvironment = {
  readonly KUBERNETES_SERVICE_HOST?: string | undefined;
  readonly KUBERNETES_SERVICE_PORT?: string | undefined;
};

/** The access of a pod to its own cluster; undefined outside of one. The token is read again as it is renewed. */
export function inClusterAccess(
  env: PodEnvironment,
  folder = serviceAccountFolder,
): ClusterAccess | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const ca = readIfThere(join(folder, 'ca.crt'));
  const token = readIfThere(join(folder, 'token'));
  if (!host || !port || ca === undefined || token === undefined) return undefined;
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca,
    insecure: false,
    serverName: undefined,
    namespace: readIfThere(join(folder, 'namespace'))?.trim() ?? 'default',
    user: {
      certificate: undefined,
      login: { type: 'token-file', path: join(folder, 'token') },
      impersonate: undefined,
    },
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
