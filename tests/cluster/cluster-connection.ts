import { systemClock } from '#edge/clock.ts';
import { clusterAccess } from '#command/open-cluster.ts';
import { undiciTransport, type ClusterTransport } from '#edge/kube/undici-transport.ts';

/** Two ways to the cluster: with the rights of the kubeconfig, and with nothing but the headers of the request. */
export type ClusterConnection = { readonly own: ClusterTransport; readonly bare: ClusterTransport };

const open = new Map<string, ClusterConnection>();

/** Shared by all stories of this process. */
export function connectionTo(kubeconfig: string): ClusterConnection {
  const known = open.get(kubeconfig);
  if (known !== undefined) return known;
  const access = clusterAccess({ kubeconfig });
  const surroundings = { terminal: false, env: process.env };
  const nobody = { certificate: undefined, login: { type: 'none' }, impersonate: undefined } as const;
  const made = {
    own: undiciTransport(access, systemClock, surroundings),
    bare: undiciTransport({ ...access, user: nobody }, systemClock, surroundings),
  };
  open.set(kubeconfig, made);
  return made;
}

export async function closeConnections(): Promise<void> {
  const all = [...open.values()];
  open.clear();
  await Promise.all(all.flatMap(({ own, bare }) => [own.close(), bare.close()]));
}
