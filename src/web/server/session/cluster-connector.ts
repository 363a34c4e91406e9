import type { AskLog } from '#command/logs/log-client.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Secret } from '#edge/secret.ts';

/** As whom requests to the cluster are made. */
export type ClusterLogin =
  /** With the credentials of the process: the user of the machine has started it. */
  | { readonly type: 'own' }
  | { readonly type: 'token'; readonly token: Secret }
  /** Impersonated with the credentials of the process: a trusted proxy has signed the user in. */
  | { readonly type: 'user'; readonly user: string; readonly groups: readonly string[] };

/** The way to a cluster. */
export type ClusterConnector = {
  /** Its address, as it is shown. */
  readonly server: string;
  readonly namespace: string;
  /** The cluster of `boathook up`. */
  readonly isEmbedded: boolean;
  open(login: ClusterLogin): {
    readonly client: KubeClient;
    readonly askLog: AskLog;
    close(): Promise<void>;
  };
};
