import type { ApiBody, ApiResponse } from '#kube/http.ts';
import { drained } from './drained.ts';
import type { Exchange } from './exchange.ts';
import type { NodeHeaders } from './send-text.ts';

type StreamBody = Extract<ApiBody, { type: 'stream' }>;

/**
 * Sends a stream as it comes: the head at once, every text unpacked and unbuffered. Ends with the stream,
 * stops when `cut` aborts, and ends the stream when the client disconnects.
 */
export async function sendStream(exchange: Exchange, answer: ApiResponse, body: StreamBody): Promise<void> {
  const { response } = exchange;
  const { cut } = body;
  const breakOff = (): void => void response.destroy();
  if (cut.aborted) {
    breakOff();
    return;
  }
  cut.addEventListener('abort', breakOff, { once: true });
  try {
    response.writeHead(answer.status, answer.headers as NodeHeaders);
    response.flushHeaders();
    if (exchange.method !== 'HEAD') await pump(exchange, body.stream);
    response.end();
  } finally {
    cut.removeEventListener('abort', breakOff);
  }
}

async function pump(exchange: Exchange, stream: AsyncIterable<string>): Promise<void> {
  const { response } = exchange;
  const iterator = stream[Symbol.asyncIterator]();
  let ending: Promise<unknown> = Promise.resolve();
  const end = (): void => {
    ending = Promise.resolve(iterator.return?.());
    // Its failure is handled below, once the present read has ended.
    ending.catch(() => undefined);
  };
  response.once('close', end);
  while (!response.destroyed) {
    const next = await iterator.next();
    if (next.done === true) break;
    if (!response.write(next.value)) await left(exchange, next.value.length);
  }
  response.off('close', end);
  await ending;
}

/** Waits until the client has read; one that keeps too much waiting loses its stream and begins anew. */
async function left(exchange: Exchange, bytes: number): Promise<void> {
  const { response } = exchange;
  if (!exchange.hold(bytes)) {
    response.destroy();
    return;
  }
  await drained(response, response);
  exchange.letGo(bytes);
}
