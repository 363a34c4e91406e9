import { cannotListen } from '#command/cannot-listen.ts';
import { ExitError } from '#command/exit.ts';
import { untilInterrupted } from '#command/interrupted.ts';
import { clusterAccess, type ClusterFlags } from '#command/open-cluster.ts';
import { packageVersion } from '#command/package-version.ts';
import { printLine } from '#command/print.ts';
import { systemClock } from '#edge/clock.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import { createLog } from '#edge/log.ts';
import { systemRandom } from '#edge/random.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import { listenDashboard, linkOf, type OpenDashboard } from '#web/server/listen-dashboard.ts';
import { openPageFiles } from '#web/server/page-files.ts';
import type { DashboardDeps, Examples } from '#web/server/dashboard-deps.ts';
import type { ClusterConnector } from '#web/server/session/cluster-connector.ts';
import { clusterOfAccess } from './dashboard-clusters.ts';
import { portOf } from './up-options.ts';

export type DashboardFlags = ClusterFlags & {
  readonly port: string;
  readonly host?: string;
  readonly inCluster?: boolean;
  readonly trustProxyHeaders?: boolean;
};

const log = createLog({ level: 'info', format: 'text', clock: systemClock });

/** `boathook dashboard`: serves the dashboard of a cluster until it is stopped. */
export async function dashboard(flags: DashboardFlags): Promise<number> {
  const signIn = wayOf(flags);
  const host = hostOf(flags);
  const port = portOf('--port', flags.port);
  const connector = clusterOfAccess(clusterAccess(flags));
  const opened = await openDashboard({ connector, host, port, signIn }).catch((error: unknown) => {
    if (error instanceof PortTaken)
      throw new ExitError(
        2,
        `port ${port} of ${host} is taken: choose another with --port (0 picks a free one)`,
      );
    throw cannotListen(`--host ${host} --port ${port}`, error) ?? error;
  });
  try {
    printLine(`dashboard of ${connector.server} at ${signIn === 'link' ? opened.link() : opened.url}`);
    if (signIn === 'link') printLine('(the link works once, within 10 minutes; whoever has it acts as you)');
    return await untilInterrupted(async (signal) => {
      await whenAborted(signal);
      return 0;
    });
  } finally {
    await opened.close();
  }
}

type OpenOptions = {
  readonly connector: ClusterConnector;
  readonly host: string;
  readonly port: number;
  readonly signIn: DashboardDeps['signIn'];
  readonly examples?: Examples;
};

/** Serves the dashboard of a cluster. Throws `PortTaken`. */
export async function openDashboard(options: OpenOptions): Promise<OpenDashboard> {
  const { signIn } = options;
  const opened: OpenDashboard = await listenDashboard({
    ...options,
    isLoopback: signIn === 'link',
    files: openPageFiles(),
    version: packageVersion(),
    clock: systemClock,
    random: systemRandom,
    audit: (message, fields) => log.info(message, fields),
    report: (error) =>
      log.error('unexpected error', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    onNewLink: (token) => printLine(`a new link of the dashboard: ${linkOf(opened.url, token)}`),
  });
  return opened;
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
