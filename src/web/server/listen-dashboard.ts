import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import { listen } from '#edge/http/listen.ts';
import type { Dashboard } from './dashboard.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { loopbackHosts } from './request-guard.ts';
import { LinkTokens } from './session/link-tokens.ts';

/** What a dashboard learns when it listens. */
export type ListeningAt = Pick<DashboardDeps, 'hosts' | 'port' | 'links' | 'onNewLink'>;

type ListenDeps = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Whether only the names of loopback are answered. */
  readonly isLoopback: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: DashboardDeps['report'];
  /** Called with a new link when the last one was used or is too old. */
  readonly onNewLink: (link: string) => void;
  /** Makes the dashboard. Called with the first request: most starts of `boathook up` never show the page. */
  readonly load: (at: ListeningAt) => Promise<Dashboard>;
};

export type OpenDashboard = {
  readonly url: string;
  readonly port: number;
  /** A link that signs in once, within 10 minutes. */
  link(): string;
  close(): Promise<void>;
};

/** Serves the dashboard over plain HTTP. Throws `PortTaken` when another process listens there. */
export async function listenDashboard(deps: ListenDeps): Promise<OpenDashboard> {
  const { host, isLoopback, report } = deps;
  const made = Promise.withResolvers<() => Promise<Dashboard>>();
  const listening = await listen({
    host,
    port: deps.port,
    tls: undefined,
    serve: async (request) => (await (await made.promise)()).serve(request),
    report,
    // A tab that reads nothing, such as one of a sleeping laptop, is closed and comes back with what it has.
    limits: { unreadTime: 30_000 },
  });
  const { port } = listening;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const links = new LinkTokens(deps);
  const hosts = isLoopback ? loopbackHosts(port) : undefined;
  const onNewLink = (token: string): void => deps.onNewLink(linkOf(url, token));
  let loading: Promise<Dashboard> | undefined;
  made.resolve(() => (loading ??= deps.load({ hosts, port, links, onNewLink })));
  return {
    url,
    port,
    link: () => linkOf(url, links.create()),
    async close() {
      await loading?.then(
        (dashboard) => dashboard.close(),
        () => undefined,
      );
      await listening.close();
    },
  };
}

/** The token is in the fragment: browsers do not send it, so that it is in no log. */
const linkOf = (url: string, token: string): string => `${url}/#token=${token}`;
