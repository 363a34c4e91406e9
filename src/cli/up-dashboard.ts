import { cannotListen } from '#command/cannot-listen.ts';
import { printAside, printLine } from '#command/print.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import type { Serve } from '#kube/http.ts';
import type { OpenDashboard } from '#web/server/listen-dashboard.ts';
import { openDashboard } from './dashboard.ts';
import { embeddedDoor } from './dashboard-doors.ts';

const host = '127.0.0.1';

/** Serves the dashboard of the cluster of `boathook up` and prints its link; goes on without it if that is impossible. */
export async function openUpDashboard(
  serve: Serve,
  server: string,
  port: number,
): Promise<OpenDashboard | undefined> {
  try {
    const door = embeddedDoor(serve, server);
    const opened = await openDashboard({ door, host, port, signIn: 'link' });
    printLine(`dashboard at ${opened.link()}`);
    return opened;
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
