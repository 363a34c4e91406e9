import type { JsonObject } from '#base/json.ts';
import type { Secret } from '#edge/secret.ts';

/** How to reach a cluster, and as whom. */
export type ClusterAccess = {
  readonly server: string;
  /** PEM; undefined: the system's own authorities. */
  readonly ca: string | undefined;
  /** The server's certificate is not checked. */
  readonly insecure: boolean;
  /** The name to expect in the server's certificate, when it is not the host's. */
  readonly serverName: string | undefined;
  /** The default namespace. */
  readonly namespace: string;
  readonly user: UserAccess;
};

export type UserAccess = {
  readonly certificate: ClientCertificate | undefined;
  readonly login: ApiLogin;
  readonly impersonate: Impersonation | undefined;
};

/** PEM. */
export type ClientCertificate = { readonly certificate: string; readonly key: Secret };

/** The content of the Authorization header, if any. */
export type ApiLogin =
  | { readonly type: 'none' }
  | { readonly type: 'token'; readonly token: Secret }
  | { readonly type: 'token-file'; readonly path: string }
  | { readonly type: 'basic'; readonly user: string; readonly password: Secret }
  | { readonly type: 'exec'; readonly plugin: ExecPlugin };

export type Impersonation = {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
};

/** A program that prints credentials. */
export type ExecPlugin = {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint: string | undefined;
  /** The cluster information for the plugin; undefined unless `provideClusterInfo` is set. */
  readonly cluster: JsonObject | undefined;
};
