import type { Instant } from '#base/time.ts';
import type { AskLog } from '#command/logs/log-client.ts';
import type { KubeClient } from '#edge/kube/client.ts';

/** A user, and the client that makes all requests with the identity of this user. */
export type SignedInUser = {
  /** Users of one key share watches. */
  readonly key: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly client: KubeClient;
  /** Asks controllers for logs, with the same identity. */
  readonly askLog: AskLog;
  /** When the Kubernetes token ends, if it tells. */
  readonly endsAt: Instant | undefined;
  /** The credentials are those of the process: when the cluster refuses them, signing in again does not help. */
  readonly isOwn: boolean;
  close(): Promise<void>;
};
