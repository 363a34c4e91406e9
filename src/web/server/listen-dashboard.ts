import { listen } from '#edge/http/listen.ts';
import { Dashboard } from './dashboard.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { loopbackHosts } from './request-guard.ts';

type ListenDeps = Omit<DashboardDeps, 'port' | 'hosts'> & {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Whether only the names of loopback are answered. */
  readonly isLoopback: boolean;
};

export type OpenDashboard = {
  readonly url: string;
  readonly port: number;
  /** A link that signs in once, within 10 minutes. */
  link(): string;
  close(): Promise<void>;
};

/** Serves the dashboard over plain HTTP. Throws `PortTaken` when another process listens there. */
export async function listenDashboard({
  host,
  port,
  isLoopback,
  ...deps
}: ListenDeps): Promise<OpenDashboard> {
  const made = Promise.withResolvers<Dashboard>();
  const listening = await listen({
    host,
    port,
    tls: undefined,
    serve: async (request) => (await made.promise).serve(request),
    report: deps.report,
    // A tab that reads nothing, such as one of a sleeping laptop, is closed and comes back with what it has.
    limits: { unreadTime: 30_000 },
  });
  const hosts = isLoopback ? loopbackHosts(listening.port) : undefined;
  const dashboard = new Dashboard({ ...deps, hosts, port: listening.port });
  made.resolve(dashboard);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
  return {
    url,
    port: listening.port,
    link: () => linkOf(url, dashboard.newLink()),
    async close() {
      dashboard.close();
      await listening.close();
    },
  };
}

/** The token is in the fragment: browsers do not send it, so that it is in no log. */
export const linkOf = (url: string, token: string): string => `${url}/#token=${token}`;
