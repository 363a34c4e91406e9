import type { Clock } from '#base/time.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { RecentMap } from '#base/recent-map.ts';
import { accountUserName } from '#kube/user.ts';

/** The name under which Boathook's controllers act, and own fields. */
export const controlAgent = 'boathook-controller';

const memory = 256;

/** How Boathook's controllers reach a cluster: as themselves, and as service accounts. */
export function controlClients(
  transport: Transport,
  clock: Clock,
): {
  readonly client: KubeClient;
  readonly impersonate: (namespace: string, serviceAccount: string) => KubeClient;
} {
  const common = { transport, clock, userAgent: controlAgent };
  const accounts = new RecentMap<KubeClient>(memory);
  return {
    client: createClient(common),
    impersonate: (namespace, serviceAccount) => {
      const user = accountUserName(namespace, serviceAccount);
      return accounts.ensure(user, () => createClient({ ...common, impersonate: user }));
    },
  };
}
