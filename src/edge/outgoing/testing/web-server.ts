import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';

/** A real server on a free port of this machine. */
export type WebServer = {
  readonly url: string;
  readonly port: number;
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Settles when those that are open now are closed. */
  emptied(): Promise<void>;
  /** Connections that there ever were. */
  connections(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Answers requests as told. */
export const startWeb = (answer: RequestListener): Promise<WebServer> => listening(createHttp(answer));

/** Speaks as told, HTTP or not. */
export const startRaw = (speak: (socket: Socket) => void): Promise<WebServer> => listening(createTcp(speak));

async function listening(server: Server): Promise<WebServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    sockets,
    connections: () => count,
    async emptied() {
      const closing = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await Promise.all(closing);
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The body of a request as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
