import type { AskLog } from '#command/logs/log-client.ts';
import { systemClock } from '#edge/clock.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import type { Serve } from '#kube/http.ts';
import type { ClusterConnector, ClusterLogin } from '#web/server/session/cluster-connector.ts';

const userAgent = 'boathook-dashboard';
const nothing = (): Promise<void> => Promise.resolve();

/** The user of the kubeconfig that `boathook up` writes. */
const administrator = { user: 'boathook-admin', groups: ['system:masters'] };

/** The API server of this process. */
export type EmbeddedPlace = {
  readonly serve: Serve;
  /** The log endpoint of this process. */
  readonly logs: Serve;
  /** The address of the API server, as it is shown. */
  readonly server: string;
};

export const embeddedCluster = ({ serve, logs, server }: EmbeddedPlace): ClusterConnector => ({
  server,
  namespace: 'default',
  isEmbedded: true,
  open(login) {
    const client = createClient({ transport: transportOf(serve, login), clock: systemClock, userAgent });
    const transport = transportOf(logs, login);
    const askLog: AskLog = async (question, signal) => {
      const { askThrough } = await import('#command/logs/log-client.ts');
      return askThrough(transport, question, signal);
    };
    return { client, askLog, close: nothing };
  },
});

function transportOf(serve: Serve, login: ClusterLogin): Transport {
  switch (login.type) {
    case 'own':
      return inProcessTransport(serve, administrator);
    case 'token':
      return withHeaders(inProcessTransport(serve, undefined), {
        authorization: `Bearer ${login.token.reveal()}`,
      });
    case 'user':
      return withHeaders(inProcessTransport(serve, administrator), {
        'impersonate-user': login.user,
        ...(login.groups.length === 0 ? {} : { 'impersonate-group': login.groups }),
      });
  }
}

const withHeaders =
  (transport: Transport, headers: TransportRequest['headers']): Transport =>
  (request) =>
    transport({ ...request, headers: { ...request.headers, ...headers } });
