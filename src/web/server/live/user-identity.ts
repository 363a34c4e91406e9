import type { KubeClient } from '#edge/kube/client.ts';
import type { ClusterHealth } from './cluster-health.ts';
import type { Feeds } from './feeds.ts';
import type { InformerPool } from './informer-pool.ts';
import type { Permissions } from './permissions.ts';

/** A user of the cluster with what the tabs of this user share. */
export type UserIdentity = {
  readonly key: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly isOwn: boolean;
  /** Makes all requests with the identity of the user. */
  readonly client: KubeClient;
  readonly health: ClusterHealth;
  readonly pool: InformerPool;
  readonly feeds: Feeds;
  readonly permissions: Permissions;
};
