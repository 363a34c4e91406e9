import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { ApiResponse } from '#kube/http.ts';
import { drained } from './drained.ts';
import type { Exchange } from './exchange.ts';
import { gzipFrom, mayPack, packedHeaders, sendText, type NodeHeaders } from './send-text.ts';

/** Many small writes are slow; this much leaves at once. */
const pieceSize = 64 * 1024;
/** After this long other requests get a turn. */
const turnMillis = 4;

/**
 * Sends texts one after the other as they are made, never further ahead than the client reads. What turns
 * out to be short goes out as one text.
 */
export async function sendChunks(
  exchange: Exchange,
  answer: ApiResponse,
  chunks: Iterable<string>,
): Promise<void> {
  const packing = mayPack(exchange, answer);
  const enough = packing ? gzipFrom + 1 : pieceSize;
  let sink: Sink | undefined;
  let piece = '';
  let turn = performance.now();
  for (const chunk of chunks) {
    piece += chunk;
    if (piece.length >= (sink === undefined ? enough : pieceSize)) {
      sink ??= open(exchange, answer, packing);
      if (!sink.into.write(piece)) await drained(sink.into, exchange.response);
      piece = '';
    }
    if (performance.now() - turn > turnMillis) {
      await otherTasks();
      turn = performance.now();
    }
    if (exchange.response.destroyed) break;
  }
  if (sink === undefined) return sendText(exchange, answer, piece);
  if (!sink.into.destroyed) sink.into.end(piece);
  return sink.done;
}

const otherTasks = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

type Sink = { readonly into: Writable; readonly done: Promise<void> };

function open(exchange: Exchange, answer: ApiResponse, packing: boolean): Sink {
  const { response } = exchange;
  if (!packing) {
    response.writeHead(answer.status, answer.headers as NodeHeaders);
    return { into: response, done: Promise.resolve() };
  }
  response.writeHead(answer.status, packedHeaders(answer));
  const packer = createGzip({ level: constants.Z_BEST_SPEED });
  // A client that goes away closes both ends; that is no failure of ours.
  const done = pipeline(packer, response).catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
  return { into: packer, done };
}
