import { openAccess } from '#command/open-cluster.ts';
import { systemClock } from '#edge/clock.ts';
import type { ClusterAccess } from '#edge/kube/access.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import type { Secret } from '#edge/secret.ts';
import type { Serve } from '#kube/http.ts';
import type { ClusterDoor } from '#web/server/session/cluster-door.ts';

const userAgent = 'boathook-dashboard';
const nothing = (): Promise<void> => Promise.resolve();

/** The cluster of a kubeconfig, or of the own pod. */
export function accessDoor(access: ClusterAccess): ClusterDoor {
  const { server, namespace } = access;
  return {
    server,
    namespace,
    isEmbedded: false,
    open(login) {
      if (login.type === 'own') return openAccess(access, userAgent);
      const user = { certificate: undefined, login, impersonate: undefined };
      return openAccess({ ...access, user }, userAgent);
    },
  };
}

/** The user of the kubeconfig that `boathook up` writes. */
const administrator = { user: 'boathook-admin', groups: ['system:masters'] };

/** The API server of this process. */
export const embeddedDoor = (serve: Serve, server: string): ClusterDoor => ({
  server,
  namespace: 'default',
  isEmbedded: true,
  open(login) {
    const transport =
      login.type === 'own' ? inProcessTransport(serve, administrator) : withToken(serve, login.token);
    return { client: createClient({ transport, clock: systemClock, userAgent }), close: nothing };
  },
});

function withToken(serve: Serve, token: Secret): Transport {
  const transport = inProcessTransport(serve, undefined);
  return (request) =>
    transport({ ...request, headers: { ...request.headers, authorization: `Bearer ${token.reveal()}` } });
}
