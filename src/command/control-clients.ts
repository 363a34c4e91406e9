import type { Clock } from '#base/time.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { RecentMap } from '#base/recent-map.ts';
import { accountUserName } from '#kube/user.ts';

/** User agent and field manager of Boathook's controllers. */
export const controlAgent = 'boathook-controller';

const memory = 256;

/** The clients of Boathook's controllers: with their own rights, and with those of service accounts. */
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
