import { Pool, type Dispatcher } from 'undici';
import { seconds, type Clock } from '#base/time.ts';
import type { Headers } from '#kube/http.ts';
import type { ClientCertificate, ClusterAccess, Impersonation } from './access.ts';
import { credentialsOf, type Credential } from './credentials.ts';
import type { ExecSurroundings } from './exec-plugin.ts';
import { heldBack, holdingBack } from './held-back.ts';
import { decodeTexts, splitLines } from './lines.ts';
import { isWatch } from './is-watch.ts';
import { RequestPace, type PaceFigures } from './request-pace.ts';
import { retrying } from './retry.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { reasonOf, Unavailable } from './unavailable.ts';

export type ClusterTransport = {
  readonly transport: Transport;
  /** How fast requests are sent at present. */
  readonly pace: () => PaceFigures;
  close(): Promise<void>;
};

/** The transport over the network: authenticated, with keep-alive connections, at the pace that the server allows. */
export function undiciTransport(
  access: ClusterAccess,
  clock: Clock,
  surroundings: ExecSurroundings,
): ClusterTransport {
  const url = new URL(access.server);
  const prefix = url.pathname.replace(/\/+$/, '');
  const credentials = credentialsOf(access.user, clock, surroundings);
  const pools = poolsOf(access, url.origin);
  const impersonation = impersonationHeaders(access.user.impersonate);

  const send = async (request: TransportRequest, credential: Credential): Promise<TransportResponse> => {
    const pool = pools.of(credential.certificate, isWatch(request));
    const authorization = credential.authorization?.reveal();
    return exchange(pool, prefix, {
      ...request,
      headers: {
        // Whom a request names counts, and nothing of the other one is left.
        ...(request.headers['impersonate-user'] === undefined ? impersonation : {}),
        ...request.headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
    });
  };

  const transport: Transport = async (request) => {
    const credential = await credentials.current(request.signal);
    const response = await send(request, credential);
    if (response.status !== 401 || !credentials.rejected(credential)) return response;
    await response.text();
    return send(request, await credentials.current(request.signal));
  };
  const pace = new RequestPace(clock);
  return {
    transport: retrying(transport, clock, pace),
    pace: () => pace.figures,
    close: () => pools.close(),
  };
}

type Pools = {
  of(certificate: ClientCertificate | undefined, watch: boolean): Dispatcher;
  close(): Promise<void>;
};

/**
 * Watches hold a connection each for hours, so they have a pool without a bound, apart from the requests.
 * A plugin's new certificate needs new connections.
 */
function poolsOf({ ca, insecure, serverName }: ClusterAccess, origin: string): Pools {
  const make = (certificate: ClientCertificate | undefined, connections: number | null): Dispatcher =>
    new Pool(origin, {
      connections,
      // Kubernetes supports HTTP/1.1, where one watch cannot delay another.
      allowH2: false,
      bodyTimeout: 0,
      headersTimeout: seconds(90),
      connect: {
        timeout: seconds(10),
        // The system notices a machine that vanished within half a minute.
        keepAliveInitialDelay: seconds(15),
        rejectUnauthorized: !insecure,
        ...(ca === undefined ? {} : { ca }),
        ...(serverName === undefined ? {} : { servername: serverName }),
        ...(certificate === undefined
          ? {}
          : { cert: certificate.certificate, key: certificate.key.reveal() }),
      },
    }).compose(holdingBack);
  const open = (certificate: ClientCertificate | undefined) => ({
    certificate,
    requests: make(certificate, 32),
    watches: make(certificate, null),
  });
  let current: ReturnType<typeof open> | undefined;
  const close = async (): Promise<void> => {
    const old = current;
    current = undefined;
    await Promise.all([old?.requests.destroy(), old?.watches.destroy()]);
  };
  return {
    of(certificate, watch) {
      if (current !== undefined && current.certificate?.certificate !== certificate?.certificate) {
        // What still runs on the old connections may end there.
        void current.requests.close();
        void current.watches.close();
        current = undefined;
      }
      current ??= open(certificate);
      return watch ? current.watches : current.requests;
    },
    close,
  };
}

type HeaderMap = Readonly<Record<string, string | readonly string[]>>;

function impersonationHeaders(impersonate: Impersonation | undefined): HeaderMap {
  if (impersonate === undefined) return {};
  const { user, uid, groups } = impersonate;
  return {
    'impersonate-user': user,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
  };
}

async function exchange(
  pool: Dispatcher,
  prefix: string,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { method, path, query, headers, body, signal, mayLeave } = request;
  if (mayLeave?.() === false) throw heldBack();
  const failed = (error: unknown): never => {
    signal.throwIfAborted();
    throw new Unavailable(`${method} ${path} failed: ${reasonOf(error)}`, error);
  };
  const answer = await pool
    .request({
      method,
      path: query === '' ? prefix + path : `${prefix}${path}?${query}`,
      headers: headers as Record<string, string | string[]>,
      body: body ?? null,
      signal,
      ...(mayLeave && { mayLeave }),
    })
    .catch(failed);
  async function* lines(): AsyncGenerator<string> {
    try {
      yield* splitLines(decodeTexts(answer.body));
    } catch (error) {
      failed(error);
    }
  }
  return {
    status: answer.statusCode,
    headers: answer.headers as Headers,
    text: () => answer.body.text().catch(failed),
    lines,
  };
}
