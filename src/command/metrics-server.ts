import type { Exposition } from '#edge/metrics.ts';
import { listen } from '#edge/http/listen.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { cannotListen } from './cannot-listen.ts';
import { ExitError } from './exit.ts';
import { showBuild } from './process-metrics.ts';

export type ListenPlace = { readonly host: string; readonly port: number };

type MetricsServerDeps = {
  readonly at: ListenPlace;
  readonly metrics: Exposition;
  /** Why the process is not ready; undefined when it is. */
  readonly waitsFor: () => string | undefined;
  readonly report: (problem: unknown) => void;
};

type MetricsServer = { readonly url: string; close(): Promise<void> };

/** The metrics of a process and their address; neither without `--metrics-address`. */
export type Figures = AsyncDisposable & {
  readonly metrics: Exposition | undefined;
  readonly url: string | undefined;
};

/** Serves the metrics at `--metrics-address`. Without the flag nothing is counted, and no library is loaded. */
export async function openFigures(
  at: ListenPlace | undefined,
  about: Pick<MetricsServerDeps, 'waitsFor' | 'report'>,
): Promise<Figures> {
  if (at === undefined)
    return { metrics: undefined, url: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { createMetrics } = await import('#edge/metrics.ts');
  const metrics = createMetrics({ ofProcess: true });
  showBuild(metrics);
  const server = await openMetricsServer({ at, metrics, ...about });
  return { metrics, url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

/** Serves `/metrics` for Prometheus, and `/healthz` and `/readyz` for the kubelet. */
async function openMetricsServer(deps: MetricsServerDeps): Promise<MetricsServer> {
  const { host, port } = deps.at;
  const serve = (request: ApiRequest): Promise<ApiResponse> => answer(deps, request);
  try {
    const opened = await listen({ serve, host, port, tls: undefined, report: deps.report });
    const shown = host.includes(':') ? `[${host}]` : host;
    return { url: `http://${shown}:${opened.port}`, close: () => opened.close() };
  } catch (error) {
    if (error instanceof PortTaken)
      throw new ExitError(
        2,
        `--metrics-address: another process listens on port ${port} of ${host}; choose another port`,
      );
    throw cannotListen(`--metrics-address ${host}:${port}`, error) ?? error;
  }
}

const place = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i;

export const metricsPlaceOf = (address: string): ListenPlace => placeOf('--metrics-address', address);

/** `HOST:PORT`, or a port alone on loopback. */
export function placeOf(flag: string, address: string): ListenPlace {
  const [, host = '127.0.0.1', digits = ''] = place.exec(address) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw new ExitError(2, `${flag} ${address} is no HOST:PORT, nor a port from 0 to 65535`);
  return { host: host.replaceAll(/[[\]]/g, ''), port };
}

async function answer({ metrics, waitsFor }: MetricsServerDeps, request: ApiRequest): Promise<ApiResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET is answered here\n');
  switch (request.path) {
    case '/metrics':
      return said(200, metrics.contentType, await metrics.text());
    case '/healthz':
    case '/livez':
      return plain(200, 'ok');
    case '/readyz': {
      const why = waitsFor();
      return why === undefined ? plain(200, 'ok') : plain(503, `not ready: ${why}\n`);
    }
    default:
      return plain(404, 'served here: /metrics, /healthz and /readyz\n');
  }
}

const plain = (status: number, text: string): ApiResponse => said(status, 'text/plain; charset=utf-8', text);
const said = (status: number, type: string, text: string): ApiResponse => ({
  status,
  headers: { 'content-type': type },
  body: { type: 'text', text },
});
