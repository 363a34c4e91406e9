import { seconds } from '#base/time.ts';
import { dialLogs } from '#command/logs/dial-logs.ts';
import { openLogClient } from '#command/logs/log-client.ts';
import { openAccess } from '#command/open-cluster.ts';
import { systemClock } from '#edge/clock.ts';
import type { ClusterAccess, UserAccess } from '#edge/kube/access.ts';
import type { ClusterConnector, ClusterLogin } from '#web/server/session/cluster-connector.ts';

/** A controller that does not answer delays a page once, and not whenever it is read. */
const rest = { patience: seconds(3), span: seconds(5), clock: systemClock };

/** The cluster of a kubeconfig, or of the own pod. */
export function clusterOfAccess(access: ClusterAccess, logNamespace: string): ClusterConnector {
  const { server, namespace } = access;
  return {
    server,
    namespace,
    isEmbedded: false,
    open(login) {
      const own = { ...access, user: userOf(access, login) };
      const opened = openAccess(own, 'boathook-dashboard');
      const { client } = opened;
      const logs = openLogClient({ client, namespace: logNamespace, dial: dialLogs(own), rest });
      return {
        client,
        askLog: logs.ask,
        async close() {
          await logs.close();
          await opened.close();
        },
      };
    },
  };
}

function userOf({ user }: ClusterAccess, login: ClusterLogin): UserAccess {
  switch (login.type) {
    case 'own':
      return user;
    case 'token':
      return { certificate: undefined, login, impersonate: undefined };
    case 'user':
      return { ...user, impersonate: { user: login.user, uid: undefined, groups: login.groups } };
  }
}
