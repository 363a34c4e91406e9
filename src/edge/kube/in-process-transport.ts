import type { ApiBody, ApiRequest, ApiResponse, Headers, Peer, Serve } from '#kube/http.ts';
import { BodyTooLarge } from '#kube/http.ts';
import { splitLines } from './lines.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { Unavailable } from './unavailable.ts';

export type CertificateIdentity = NonNullable<Peer['certificate']>;

/** Calls an API server of this process directly: as the user of a client certificate, or of a token in the headers. */
export function inProcessTransport(serve: Serve, identity: CertificateIdentity | undefined): Transport {
  return async (request) => {
    request.signal.throwIfAborted();
    if (request.mayLeave?.() === false) throw new Unavailable('This process may no longer lead.');
    const leaving = new AbortController();
    const answer = await serve(apiRequest(request, identity, leaving.signal));
    return responseOf(answer, request.signal, leaving);
  };
}

function apiRequest(
  request: TransportRequest,
  identity: CertificateIdentity | undefined,
  leaving: AbortSignal,
): ApiRequest {
  const { method, path, query, body, signal } = request;
  let combined: AbortSignal | undefined;
  return {
    method,
    path,
    query,
    headers: headersOf(request.headers),
    peer: { certificate: identity },
    get signal() {
      return (combined ??= AbortSignal.any([signal, leaving]));
    },
    body(limit) {
      const bytes = new TextEncoder().encode(body ?? '');
      return bytes.length > limit ? Promise.reject(new BodyTooLarge(limit)) : Promise.resolve(bytes);
    },
  };
}

/** Repeated headers arrive joined, as they do over the network. */
const headersOf = (headers: TransportRequest['headers']): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

function responseOf(answer: ApiResponse, signal: AbortSignal, leaving: AbortController): TransportResponse {
  const { body } = answer;
  const texts = (): AsyncGenerator<string> => textsOf(body, signal, leaving);
  return {
    status: answer.status,
    headers: headersOf(answer.headers),
    async text() {
      if (body.type === 'text') return body.text;
      let whole = '';
      for await (const text of texts()) whole += text;
      return whole;
    },
    lines: () => splitLines(texts()),
    ...objectsOf(body, signal, leaving),
    isLocal: true,
  };
}

async function* textsOf(
  body: ApiBody,
  signal: AbortSignal,
  leaving: AbortController,
): AsyncGenerator<string> {
  if (body.type === 'text') yield body.text;
  if (body.type === 'bytes') yield new TextDecoder().decode(body.bytes);
  if (body.type === 'chunks') yield* body.chunks;
  if (body.type === 'stream') yield* untilCut(body.stream, body.cut, signal, leaving);
}

function objectsOf(
  body: ApiBody,
  signal: AbortSignal,
  leaving: AbortController,
): Pick<TransportResponse, 'objects'> {
  if (body.type !== 'stream' || body.objects === undefined) return {};
  const { objects, cut } = body;
  return { objects: () => untilCut(objects, cut, signal, leaving) };
}

async function* untilCut<Piece>(
  stream: AsyncIterable<Piece>,
  cut: AbortSignal,
  signal: AbortSignal,
  leaving: AbortController,
): AsyncGenerator<Piece> {
  try {
    yield* untilAborted(stream, AbortSignal.any([signal, cut]));
  } finally {
    leaving.abort(new Error('the reader left'));
  }
  signal.throwIfAborted();
  if (cut.aborted) throw new Unavailable('The server cut the stream because it was read too slowly.');
}

/** A stream that ends when the signal aborts, even while its source keeps us waiting. */
async function* untilAborted<Piece>(
  stream: AsyncIterable<Piece>,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const iterator = stream[Symbol.asyncIterator]();
  const ended: IteratorResult<Piece> = { done: true, value: undefined };
  let end = (): void => undefined;
  const abort = (): void => end();
  signal.addEventListener('abort', abort);
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<Piece>>((resolve, reject) => {
        end = () => resolve(ended);
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // The caller has stopped reading: the error is ignored.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
