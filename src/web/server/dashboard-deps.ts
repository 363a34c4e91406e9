import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Overview } from '#web/wire/overview.ts';
import type { ActReply } from '#web/wire/session.ts';
import type { Audit } from './acts/audit.ts';
import type { PageFiles } from './page-files.ts';
import type { AllowedHosts } from './request-guard.ts';
import type { ClusterConnector } from './session/cluster-connector.ts';
import type { LinkTokens } from './session/link-tokens.ts';

/** Examples that the page offers on an empty embedded cluster. */
export type Examples = {
  readonly list: Overview['examples'];
  load(id: string, client: KubeClient, signal: AbortSignal): Promise<ActReply>;
};

export type DashboardDeps = {
  readonly connector: ClusterConnector;
  /** How users sign in: by the printed link, each with a Kubernetes token, or at a proxy in front of the dashboard. */
  readonly signIn: 'link' | 'token' | 'proxy';
  readonly links: LinkTokens;
  readonly files: PageFiles;
  readonly hosts: AllowedHosts;
  /** The port, which is in the name of the cookie. */
  readonly port: number;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: Audit;
  /** Receives unexpected failures. */
  readonly report: (problem: unknown) => void;
  /** Called with a new link token when the last one was used or is too old, so that a new link can be printed. */
  readonly onNewLink?: (token: string) => void;
  readonly examples?: Examples;
};
