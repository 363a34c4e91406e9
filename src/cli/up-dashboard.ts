import { printAside, printLine } from '#command/print.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import type { Serve } from '#kube/http.ts';
import { openDashboard } from './dashboard.ts';
import { embeddedDoor } from './dashboard-doors.ts';

const host = '127.0.0.1';

/** Serves the dashboard of the cluster of `boathook up` and prints its link. Goes on without it if the port is taken. */
export async function openUpDashboard(serve: Serve, server: string, port: number): Promise<AsyncDisposable> {
  try {
    const door = embeddedDoor(serve, server);
    const opened = await openDashboard({ door, host, port, isInCluster: false });
    printLine(`dashboard at ${opened.link()}`);
    return { [Symbol.asyncDispose]: () => opened.close() };
  } catch (error) {
    if (!(error instanceof PortTaken)) throw error;
    printAside(
      `boathook: no dashboard, because port ${port} of ${host} is taken: choose another with --dashboard-port (0 picks a free one)`,
    );
    return { [Symbol.asyncDispose]: () => Promise.resolve() };
  }
}
