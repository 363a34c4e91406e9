import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { ApiResponse } from '#kube/http.ts';
import type { Exchange } from './exchange.ts';

/** Smaller bodies are not worth packing (T8). */
export const gzipFrom = 128 * 1024;

export type NodeHeaders = Record<string, string | string[] | number>;

/** Sends a body that is complete: packed when it is long and the client takes that, else in one go. */
export async function sendText(exchange: Exchange, answer: ApiResponse, text: string): Promise<void> {
  if (text.length > gzipFrom && mayPack(exchange, answer)) await sendPacked(exchange.response, answer, text);
  else sendPlain(exchange, answer, text);
}

/** One call of `end`, so that head and body leave in one packet. */
function sendPlain(exchange: Exchange, answer: ApiResponse, text: string): void {
  const { response } = exchange;
  const { status } = answer;
  const headers: NodeHeaders = { ...(answer.headers as NodeHeaders) };
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  headers['content-length'] = Buffer.byteLength(text);
  response.writeHead(status, headers);
  response.end(exchange.method === 'HEAD' ? undefined : text);
}

const pack = promisify(gzip);

/** The quickest level, off the main thread: lists are large and loopback is fast. */
async function sendPacked(response: ServerResponse, answer: ApiResponse, text: string): Promise<void> {
  const packed = await pack(text, { level: constants.Z_BEST_SPEED });
  response.writeHead(answer.status, { ...packedHeaders(answer), 'content-length': packed.length });
  response.end(packed);
}

const gzipAccepted = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** Whether the client takes gzip and the body is not packed already. */
export function mayPack(exchange: Exchange, answer: ApiResponse): boolean {
  const accepted = exchange.headers['accept-encoding'];
  return (
    accepted !== undefined &&
    gzipAccepted.test(accepted) &&
    exchange.method !== 'HEAD' &&
    answer.headers['content-encoding'] === undefined
  );
}

export const packedHeaders = (answer: ApiResponse): NodeHeaders => ({
  ...(answer.headers as NodeHeaders),
  'content-encoding': 'gzip',
  vary: [answer.headers['vary'] ?? [], 'Accept-Encoding'].flat().join(', '),
});
