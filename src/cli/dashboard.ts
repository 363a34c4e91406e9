import { cannotListen } from '#command/cannot-listen.ts';
import { openLog } from '#command/command-log.ts';
import { ExitError } from '#command/exit.ts';
import { usualNamespace } from '#command/logs/published-endpoint.ts';
import { untilInterrupted } from '#command/interrupted.ts';
import { clusterAccess, type ClusterFlags } from '#command/open-cluster.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import type { DashboardDeps } from '#web/server/dashboard-deps.ts';
import { clusterOfAccess } from './cluster-of-access.ts';
import { openDashboard } from './open-dashboard.ts';
import { openInBrowser } from './open-in-browser.ts';
import { portOf } from './up-options.ts';

export type DashboardFlags = ClusterFlags & {
  readonly logLevel?: string;
  readonly logFormat?: string;
  readonly port: string;
  readonly open?: boolean;
  readonly host?: string;
  readonly inCluster?: boolean;
  readonly trustProxyHeaders?: boolean;
  readonly controllerNamespace?: string;
};

/** `boathook dashboard`: serves the dashboard of a cluster until it is stopped. */
export async function dashboard(flags: DashboardFlags): Promise<number> {
  const log = openLog(flags);
  const signIn = wayOf(flags);
  const host = hostOf(flags);
  const port = portOf('--port', flags.port);
  const connector = clusterOfAccess(clusterAccess(flags), flags.controllerNamespace ?? usualNamespace);
  const opened = await openDashboard({ connector, host, port, signIn, log }).catch((error: unknown) => {
    if (error instanceof PortTaken)
      throw new ExitError(
        2,
        `port ${port} of ${host} is taken: choose another with --port (0 picks a free one)`,
      );
    throw cannotListen(`--host ${host} --port ${port}`, error) ?? error;
  });
  try {
    const link = signIn === 'link' ? opened.link() : opened.url;
    log.say(`dashboard of ${connector.server} at ${link}`);
    if (signIn === 'link') log.say('(the link works once, within 10 minutes; whoever has it acts as you)');
    if (flags.open === true) openInBrowser(link);
    return await untilInterrupted(async (signal) => {
      await whenAborted(signal);
      return 0;
    });
  } finally {
    await opened.close();
  }
}

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

function wayOf({ inCluster = false, trustProxyHeaders = false }: DashboardFlags): DashboardDeps['signIn'] {
  if (trustProxyHeaders && !inCluster)
    throw new ExitError(2, '--trust-proxy-headers is for a proxy in the same pod: give --in-cluster too');
  if (trustProxyHeaders) return 'proxy';
  return inCluster ? 'token' : 'link';
}

/** Only loopback, unless users sign in with their own tokens. */
function hostOf({ host, inCluster = false, trustProxyHeaders = false }: DashboardFlags): string {
  if (inCluster && !trustProxyHeaders) return host ?? '0.0.0.0';
  const chosen = host ?? '127.0.0.1';
  if (loopback.test(chosen)) return chosen;
  throw new ExitError(
    2,
    `--host ${chosen} is not a loopback address: everybody in the network could act as ${trustProxyHeaders ? 'any user' : 'you. Use 127.0.0.1, or --in-cluster, where each user signs in'}`,
  );
}
