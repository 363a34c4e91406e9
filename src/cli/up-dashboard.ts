import { cannotListen } from '#command/cannot-listen.ts';
import type { CommandLog } from '#command/command-log.ts';
import { printAside, printLine } from '#command/print.ts';
import { systemClock } from '#edge/clock.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import type { OpenDashboard } from '#web/server/listen-dashboard.ts';
import { openDashboard } from './open-dashboard.ts';
import { embeddedCluster, type EmbeddedPlace } from './embedded-connector.ts';
import type { OpenExamples } from './examples/examples.ts';
import type { MachineFleet } from './machines/machine-fleet.ts';

const host = '127.0.0.1';

type UpDashboardDeps = {
  readonly cluster: EmbeddedPlace;
  readonly port: number;
  readonly opensBrowser: boolean;
  readonly log: CommandLog;
  readonly fleet: MachineFleet;
};

/** Serves the dashboard of the cluster of `boathook up` and prints its link; goes on without it if that is impossible. */
export async function openUpDashboard({
  cluster,
  port,
  opensBrowser,
  log,
  fleet,
}: UpDashboardDeps): Promise<OpenDashboard | undefined> {
  try {
    const connector = embeddedCluster(cluster);
    let loaded: OpenExamples | undefined;
    const examples = async (): Promise<OpenExamples> => {
      const { openExamples } = await import('./examples/examples.ts');
      return (loaded ??= openExamples(systemClock, fleet));
    };
    const opened = await openDashboard({ connector, host, port, signIn: 'link', examples, log });
    const link = opened.link();
    printLine(`dashboard at ${link}`);
    if (opensBrowser) (await import('./open-in-browser.ts')).openInBrowser(link);
    const close = async (): Promise<void> => {
      await opened.close();
      await loaded?.close();
    };
    return { ...opened, close };
  } catch (error) {
    const isTaken = error instanceof PortTaken;
    if (!isTaken && cannotListen('', error) === undefined) throw error;
    const why = isTaken ? 'is taken' : 'cannot be listened on';
    printAside(
      `boathook: no dashboard, because port ${port} of ${host} ${why}: choose another with --dashboard-port (0 picks a free one)`,
    );
    return undefined;
  }
}
