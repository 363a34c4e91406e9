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
import { ApiError } from '#kube/status.ts';
import type { KeyPair } from '#edge/certificate-file.ts';
import type { Connection, Connections } from './connections.ts';
import { Exchange, targetOf } from './exchange.ts';
import { PortTaken } from './port-taken.ts';
import { answerMalformed } from './malformed.ts';
import { respond } from './respond.ts';
import { statusAnswer } from './status-answer.ts';
import { openShares, standardLimits, type ListenLimits, type Shares } from './shares.ts';
import { watchUnread } from './unread.ts';

export type ListenOptions = {
  readonly serve: Serve;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Clients may show a certificate of this CA. Undefined: plain HTTP. */
  readonly tls: { readonly ca: string; readonly server: KeyPair } | undefined;
  /** Whether `serve` reports the user through the request's gate. Otherwise requests count by address. */
  readonly authenticates?: boolean;
  /** What differs from the standard limits. */
  readonly limits?: Partial<ListenLimits>;
  /** Called with unexpected failures: bugs and broken streams. */
  readonly report: (problem: unknown) => void;
};

export type Listening = {
  readonly port: number;
  /** Stops listening, aborts what is running and is done within a second. */
  close(): Promise<void>;
};

const http = {
  // Go's server accepts up to 1 MiB; long selectors and tokens are far below this.
  maxHeaderSize: 256 * 1024,
  noDelay: true,
  // A machine that vanished is noticed within half a minute.
  keepAlive: true,
  keepAliveInitialDelay: 15_000,
} as const;

/** How long running requests may take to notice that the server closes. */
const patienceMillis = 500;

/** Serves over HTTPS (or plain HTTP). Throws `PortTaken` when another process listens there. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const limits = { ...standardLimits(), ...options.limits };
  const listener: Listener = { ...options, ...openShares(limits), running: new Set() };
  const { running, connections } = listener;
  const server = createServer(options, limits, (request, response) => arrive(listener, request, response));
  server.on('connection', (socket: Socket) => connections.add(socket));
  // Before TLS is agreed on nothing can be sent: what is written would wait for ever, and the connection with it.
  server.prependListener('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  server.on('clientError', answerMalformed);
  const unread = watchUnread(running, limits.unreadTime);
  await start(server, options);
  server.on('error', options.report);
  let closed: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      unread.stop();
      return (closed ??= stop(server, running, connections));
    },
  };
}

type Listener = ListenOptions & Shares & { readonly running: Set<Exchange> };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function createServer({ tls }: ListenOptions, limits: ListenLimits, handler: Handler): Server {
  const settings = {
    ...http,
    headersTimeout: limits.headTime,
    requestTimeout: limits.requestTime,
    keepAliveTimeout: limits.idleTime,
    connectionsCheckingInterval: Math.min(5000, limits.headTime),
  };
  if (tls === undefined) return createHttpServer(settings, handler);
  return createHttpsServer(
    {
      ...settings,
      cert: tls.server.certificate,
      key: tls.server.key,
      ca: tls.ca,
      // Whoever shows no certificate, or a foreign one, may still have a token.
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: limits.handshakeTime,
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

/** More requests than this on one connection, none of them answered, are no client's. */
const mostPipelined = 100;

function arrive(listener: Listener, request: IncomingMessage, response: ServerResponse): void {
  const connection = listener.connections.of(request.socket);
  const target = targetOf(request.url ?? '');
  if (target === undefined || connection === undefined) {
    response
      .writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end('400 Bad Request');
    return;
  }
  const exchange = new Exchange(request, response, { target, connection, shares: listener });
  connection.hasAsked = true;
  if (!connection.isRunning) void answer(listener, connection, exchange);
  else if (connection.waiting.length >= mostPipelined) connection.socket.destroy();
  else
    connection.waiting.push(() => connection.socket.destroyed || void answer(listener, connection, exchange));
}

async function answer(listener: Listener, connection: Connection, exchange: Exchange): Promise<void> {
  const { running, report } = listener;
  const { response } = exchange;
  connection.isRunning = true;
  running.add(exchange);
  response.on('close', () => {
    running.delete(exchange);
    connection.isRunning = false;
    if (!response.writableFinished) exchange.abort();
    connection.waiting.shift()?.();
  });
  try {
    await respond(exchange, await served(listener, exchange));
  } catch (error) {
    if (!(error instanceof ApiError)) report(error);
    if (response.destroyed) return;
    if (response.headersSent) response.destroy();
    else await respond(exchange, statusAnswer(error));
  }
}

async function served({ serve, authenticates }: Listener, exchange: Exchange): Promise<ApiResponse> {
  try {
    if (authenticates !== true) exchange.identifiedByAddress();
    return await serve(exchange);
  } finally {
    exchange.served();
  }
}

async function stop(server: Server, running: Set<Exchange>, connections: Connections): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  for (const exchange of running) {
    exchange.response.on('finish', () => exchange.response.socket?.destroySoon());
    exchange.abort();
  }
  // Also connections without a finished handshake, which the HTTP server does not list.
  const timer = setTimeout(() => {
    for (const socket of connections.all()) socket.destroy();
  }, patienceMillis);
  await closed;
  clearTimeout(timer);
}
