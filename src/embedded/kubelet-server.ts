import { instant, parseTime, type Clock } from '#base/time.ts';
import { days } from '#edge/certificate-file.ts';
import { listen, type Listening } from '#edge/http/listen.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import type { SimulatedNodes } from './nodes/start.ts';

export type KubeletServerDeps = {
  /** Callers must show a certificate of this authority, in PEM. */
  readonly ca: string;
  readonly clock: Clock;
  /** Undefined until they are played. */
  readonly nodes: () => Pick<SimulatedNodes, 'logs' | 'podNamed'> | undefined;
  readonly report: (problem: unknown) => void;
};

/** The kubelet endpoint for the logs of the pods that this process simulates. */
export async function openKubeletServer(deps: KubeletServerDeps): Promise<Listening> {
  const { makePair } = await import('#edge/certificate-make.ts');
  const server = await makePair({
    subject: 'CN=boathook-nodes',
    issuer: undefined,
    now: deps.clock.now(),
    lifetime: days(365),
  });
  const { ca, report } = deps;
  const serve = (request: ApiRequest): Promise<ApiResponse> => Promise.resolve(answer(deps, request));
  return listen({ serve, host: '127.0.0.1', port: 0, tls: { ca, server }, report });
}

/** Only cluster administrators can read logs here, no other user of this machine. */
const trusted = 'system:masters';
const path = /^\/containerLogs\/([^/]+)\/([^/]+)\/([^/]+)$/;

function answer(deps: KubeletServerDeps, request: ApiRequest): ApiResponse {
  const { certificate } = request.peer;
  if (certificate === undefined) return plain(401, 'Unauthorized');
  if (!certificate.groups.includes(trusted))
    return plain(403, `Forbidden (user=${certificate.user}, verb=get, resource=nodes, subresource=proxy)`);
  const asked = path.exec(request.path)?.slice(1).map(decoded);
  if (asked === undefined) return plain(404, '404 page not found');
  if (request.method !== 'GET') return plain(405, '405: Method Not Allowed');
  return containerLogs(deps, request, asked);
}

function containerLogs(
  { nodes, clock }: KubeletServerDeps,
  { query: text, signal }: ApiRequest,
  [namespace = '', name = '', container = '']: readonly string[],
): ApiResponse {
  const played = nodes();
  const pod = played?.podNamed(namespace, name);
  if (played === undefined || pod === undefined) return plain(404, `pod "${name}" not found`);
  const query = new URLSearchParams(text);
  const count = (key: string): number | undefined =>
    /^\d{1,15}$/.test(query.get(key) ?? '') ? Number(query.get(key)) : undefined;
  const seconds = count('sinceSeconds');
  const wanted = {
    pod,
    container,
    previous: query.get('previous') === 'true',
    tailLines: count('tailLines'),
    since:
      seconds === undefined ? parseTime(query.get('sinceTime') ?? '') : instant(clock.now() - seconds * 1000),
    timestamps: query.get('timestamps') === 'true',
    limitBytes: count('limitBytes'),
  };
  const lines = played.logs.read(wanted);
  if (lines === undefined) return plain(404, `container "${container}" of pod "${name}" has no such log`);
  if (query.get('follow') !== 'true') return plain(200, lines);
  const stream = played.logs.follow(wanted, signal);
  return { ...plain(200, ''), body: { type: 'stream', stream, cut: new AbortController().signal } };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

const plain = (status: number, text: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: { type: 'text', text },
});
