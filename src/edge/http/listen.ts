import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import type { ApiResponse, Serve } from '#kube/http.ts';
import { ApiError, statusOf } from '#kube/status.ts';
import type { Pair } from '#edge/certificate-file.ts';
import { ClientGone } from './client-gone.ts';
import { Exchange, targetOf } from './exchange.ts';
import { PortTaken } from './port-taken.ts';
import { answerMalformed } from './malformed.ts';
import { respond } from './respond.ts';

export type ListenOptions = {
  readonly serve: Serve;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Clients may show a certificate of this CA. Undefined: plain HTTP. */
  readonly tls: { readonly ca: string; readonly server: Pair } | undefined;
  /** Told of failures that are nobody's refusal: bugs, and streams that broke. */
  readonly report: (problem: unknown) => void;
};

export type Listening = {
  readonly port: number;
  /** Stops listening, aborts what is running and is done within a second. */
  close(): Promise<void>;
};

const limits = {
  // Go's server takes up to 1 MiB; long selectors and tokens are far below this.
  maxHeaderSize: 256 * 1024,
  headersTimeout: 30_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 120_000,
  noDelay: true,
} as const;

/** How long running requests may take to notice that the server closes. */
const patienceMillis = 500;

/** Serves over HTTPS (or plain HTTP). Throws `PortTaken` when somebody else listens there. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const running = new Set<Exchange>();
  const sockets = new Set<Socket>();
  const server = createServer(
    options,
    (request, response) => void answer(options, running, request, response),
  );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', answerMalformed);
  await start(server, options);
  server.on('error', options.report);
  let closed: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    close: () => (closed ??= stop(server, running, sockets)),
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function createServer({ tls }: ListenOptions, handler: Handler): Server {
  if (tls === undefined) return createHttpServer(limits, handler);
  return createHttpsServer(
    {
      ...limits,
      cert: tls.server.certificate,
      key: tls.server.key,
      ca: tls.ca,
      // Whoever shows no certificate, or a foreign one, may still have a token.
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: 10_000,
      minVersion: 'TLSv1.2',
    },
    handler,
  );
}

async function start(server: Server, { host, port }: ListenOptions): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new PortTaken(host, port, error);
    throw error;
  }
}

async function answer(
  { serve, report }: ListenOptions,
  running: Set<Exchange>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = targetOf(request.url ?? '');
  if (target === undefined) {
    response
      .writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end('400 Bad Request');
    return;
  }
  const exchange = new Exchange(request, response, target);
  running.add(exchange);
  response.on('close', () => {
    running.delete(exchange);
    if (!response.writableFinished) exchange.abort();
  });
  try {
    await respond(exchange, await serve(exchange));
  } catch (error) {
    if (!(error instanceof ClientGone)) report(error);
    if (response.destroyed) return;
    if (response.headersSent) response.destroy();
    else await respond(exchange, internalError);
  }
}

/** Says nothing of the cause: that goes to the log. */
const internalError: ApiResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: {
    type: 'text',
    text: JSON.stringify(
      statusOf(new ApiError({ code: 500, reason: 'InternalError', message: 'Internal error occurred' })),
    ),
  },
};

async function stop(server: Server, running: Set<Exchange>, sockets: Set<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  for (const exchange of running) {
    exchange.response.on('finish', () => exchange.response.socket?.destroySoon());
    exchange.abort();
  }
  // Also those that never finished their handshake, of which the HTTP server knows nothing.
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, patienceMillis);
  await closed;
  clearTimeout(timer);
}
