import { unexpectedTo, type CommandLog } from '#command/command-log.ts';
import { packageVersion } from '#command/package-version.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import type { DashboardDeps, Examples } from '#web/server/dashboard-deps.ts';
import { listenDashboard, type OpenDashboard } from '#web/server/listen-dashboard.ts';
import { openPageFiles } from '#web/server/page-files.ts';
import type { ClusterConnector } from '#web/server/session/cluster-connector.ts';

type OpenOptions = {
  readonly log: CommandLog;
  readonly connector: ClusterConnector;
  readonly host: string;
  readonly port: number;
  readonly signIn: DashboardDeps['signIn'];
  readonly examples?: () => Promise<Examples>;
};

/** Serves the dashboard of a cluster. Throws `PortTaken`. */
export async function openDashboard(options: OpenOptions): Promise<OpenDashboard> {
  const { connector, host, port, signIn, examples, log } = options;
  const deps = { clock: systemClock, random: systemRandom, report: unexpectedTo(log) };
  const files = openPageFiles();
  return listenDashboard({
    ...deps,
    host,
    port,
    isLoopback: signIn === 'link',
    onNewLink: (link) => log.say(`a new link of the dashboard: ${link}`),
    async load(at) {
      const { Dashboard } = await import('#web/server/dashboard.ts');
      return new Dashboard({
        ...deps,
        ...at,
        connector,
        signIn,
        files,
        version: packageVersion(),
        audit: (message, fields) => log.info(message, fields),
        ...(examples !== undefined && { examples: await examples() }),
      });
    },
  });
}
