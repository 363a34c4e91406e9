import { createServer } from 'node:net';
import { PortTaken } from '#edge/http/port-taken.ts';

const mostTries = 10;

/**
 * Listens on a port that nothing listens on. Another process may take it before this one does: then another port is
 * chosen.
 */
export async function onFreePort<Listening>(
  host: string,
  listenOn: (port: number) => Promise<Listening>,
): Promise<Listening> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOn(await freePort(host));
    } catch (error) {
      if (!(error instanceof PortTaken) || tries === mostTries) throw error;
    }
  }
}

/** A port that nothing listens on now. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
