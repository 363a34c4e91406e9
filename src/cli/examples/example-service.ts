import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Errors that rise until a hook with a threshold of 30 fails. */
const rising = [14, 17, 16, 22, 26, 37, 45];

/** The service that the hooks of the examples call: on a free port of loopback, started with the first example. */
export class ExampleService {
  #server: Server | undefined;
  #calls = 0;

  /** The URL of the service. The values start again at the first one. */
  async start(): Promise<string> {
    this.#calls = 0;
    this.#server ??= await listening(() => {
      const errors = rising[Math.min(this.#calls, rising.length - 1)];
      this.#calls += 1;
      return JSON.stringify({ errors });
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/errors`;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

async function listening(answer: () => string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(answer());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
