import { createServer } from 'node:net';
import { once } from 'node:events';

/** Something else that listens on a port of this machine. */
export async function occupiedPort(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}
