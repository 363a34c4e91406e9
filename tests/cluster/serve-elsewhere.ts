import { isObject, type Json } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import type { Clock } from '#base/time.ts';
import type { TransportRequest, TransportResponse } from '#edge/kube/transport.ts';
import { isWatch } from '#edge/kube/is-watch.ts';
import type { ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import { identified, type Identities } from './identified.ts';
import { note, objectIn, refusal, type Made } from './made.ts';
import { plainRequests } from './own-objects.ts';
import { plainEvent, plainText, type View } from './plain.ts';
import {
  isClusterWide,
  prefixedBody,
  prefixedPath,
  prefixedQuery,
  runLabel,
  type Prefix,
} from './prefixed.ts';
import { readPath, type RequestPath } from './request-path.ts';
import { StoryTimes, undated } from './story-times.ts';
import { traffic, type Stream } from './traffic.ts';
import { untilServed } from './until-served.ts';

export type ElsewhereOptions = Identities & {
  readonly clock: Clock;
  /** Aborts when the story has ended: what a test that failed still does is then refused. */
  readonly ended: AbortSignal;
};

/** The API server of another process as the function that stories call; it shows them namespaces of their own only. */
export function serveElsewhere(options: ElsewhereOptions): { readonly serve: Serve; readonly made: Made } {
  const { prefix, connection } = options;
  const made: Made = { objects: new Set(), collections: new Map() };
  const view: View = { prefix, times: new StoryTimes(options.clock) };
  const send = plainRequests(connection.own.transport);
  const serve: Serve = async (request) => {
    options.ended.throwIfAborted();
    const path = readPath(request.path);
    const what = describe(request);
    if (path === undefined)
      return answer(await traffic.reading(what, pass(options, request)), undefined, view, request);
    if (isProductDefinition(request, path))
      return serve({ ...request, method: 'GET', query: '', body: nothing });
    const refused = await refusal(request, path, { send, made, prefix });
    if (refused !== undefined) return refused;
    const exchanged = exchange(options, request, path);
    const isRead = request.method === 'GET' && !isWatch(request);
    const response = await (isRead ? traffic.reading(what, exchanged) : traffic.during(what, exchanged));
    if (isWatch(request) && response.status === 200) return watched(response, path, view, request);
    const answered = await traffic.reading(`the rest of ${what}`, answer(response, path, view, request));
    if (request.method !== 'GET' && answered.status < 300) {
      const object = objectIn(answered);
      note(request, path, object, made);
      if (path.plural === 'customresourcedefinitions') await untilServed(send, object, request.method);
    }
    return answered;
  };
  return { serve, made };
}

const describe = ({ method, path, query }: ApiRequest): string =>
  `${method} ${path}${query === '' ? '' : `?${query}`}`;

const nothing = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());
const limit = 100_000_000;

/** The run itself has installed the kinds of the product. */
const isProductDefinition = ({ method, query }: ApiRequest, { plural }: RequestPath): boolean =>
  method === 'PATCH' && plural === 'customresourcedefinitions' && query.includes('fieldManager=boathook');

const pass = async (options: ElsewhereOptions, request: ApiRequest): Promise<TransportResponse> => {
  const { headers, transport } = identified(request, options);
  const body = await bodyText(request);
  const { method, path, query, signal } = request;
  return transport({ method, path, query, headers, signal, ...(body !== '' && { body }) });
};

const bodyText = async (request: ApiRequest): Promise<string> =>
  new TextDecoder().decode(await request.body(limit));

async function exchange(
  options: ElsewhereOptions,
  request: ApiRequest,
  path: RequestPath,
): Promise<TransportResponse> {
  const { prefix } = options;
  const { method, signal, headers: given } = request;
  const { headers, transport } = identified(request, options);
  const text = await bodyText(request);
  const isWhole =
    method === 'POST' || method === 'PUT' || (given['content-type'] ?? '').includes('apply-patch');
  const sent: TransportRequest = {
    method,
    path: prefixedPath(path, prefix),
    query: queryOf(request, path, prefix),
    headers,
    signal,
    ...(text !== '' && { body: bodyOf(text, path, isWhole, prefix) }),
  };
  return transport(sent);
}

/** A collection of the whole cluster is deleted only as far as this run made it. */
function queryOf({ method, query }: ApiRequest, path: RequestPath, prefix: Prefix): string {
  const prefixed = prefixedQuery(query, path, prefix);
  if (method !== 'DELETE' || !isClusterWide(path) || path.name !== '') return prefixed;
  const parameters = new URLSearchParams(prefixed);
  const selector = parameters.get('labelSelector');
  parameters.set('labelSelector', [selector, `${runLabel}=${prefix.run}`].filter(Boolean).join(','));
  return parameters.toString();
}

function bodyOf(text: string, path: RequestPath, isWhole: boolean, prefix: Prefix): string {
  let body: Json;
  try {
    body = parseJson(text);
  } catch {
    // YAML, or a body that the server is to refuse.
    return text;
  }
  const own = isWhole && isObject(body) ? undated(body) : body;
  return printJson(prefixedBody(own, path, isWhole, prefix));
}

async function answer(
  response: TransportResponse,
  path: RequestPath | undefined,
  view: View,
  { headers }: ApiRequest,
): Promise<ApiResponse> {
  const text = await response.text();
  const isPlain = (headers['accept'] ?? '').includes('json') || text.startsWith('{');
  return {
    status: response.status,
    headers: headersOf(response),
    body: { type: 'text', text: isPlain ? plainText(text, path, view) : text },
  };
}

/** What belongs to the connection, and not to the answer. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'keep-alive',
]);

const headersOf = ({ headers }: TransportResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (each): each is [string, string] => each[1] !== undefined && !ofConnection.has(each[0]),
    ),
  );

function watched(
  response: TransportResponse,
  path: RequestPath,
  view: View,
  request: ApiRequest,
): ApiResponse {
  const query = new URLSearchParams(request.query);
  const stream: Stream = {
    path,
    isSelective: query.has('labelSelector') || query.has('fieldSelector'),
    told: Number(query.get('resourceVersion') ?? 0),
    due: 0,
    patience: 0,
  };
  const close = traffic.opened(stream);
  request.signal.addEventListener('abort', close, { once: true });
  async function* lines(): AsyncGenerator<string> {
    try {
      for await (const raw of response.lines()) {
        const { line, version } = plainEvent(raw, path, view);
        traffic.told(stream, version, line !== undefined);
        if (line !== undefined) yield `${line}\n`;
      }
    } finally {
      close();
    }
  }
  return {
    status: 200,
    headers: headersOf(response),
    body: { type: 'stream', stream: lines(), cut: new AbortController().signal },
  };
}
