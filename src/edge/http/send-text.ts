import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { ApiResponse } from '#kube/http.ts';
import type { Exchange } from './exchange.ts';
import { finish, finishBytes } from './finish.ts';

/** Smaller bodies are not compressed. */
export const gzipFrom = 128 * 1024;

export type NodeHeaders = Record<string, string | string[] | number>;

/** Sends a complete body: compressed when it is long and the client accepts gzip, else at once. */
export async function sendText(exchange: Exchange, answer: ApiResponse, text: string): Promise<void> {
  if (text.length > gzipFrom && mayPack(exchange, answer)) await sendPacked(exchange.response, answer, text);
  else await sendPlain(exchange, answer, text);
}

/** What is short leaves with one call of `end`: head and body in one packet. */
async function sendPlain(exchange: Exchange, answer: ApiResponse, text: string): Promise<void> {
  const { response } = exchange;
  const { status } = answer;
  const headers: NodeHeaders = { ...(answer.headers as NodeHeaders) };
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  headers['content-length'] = Buffer.byteLength(text);
  response.writeHead(status, headers);
  if (exchange.method === 'HEAD') response.end();
  else await finish(response, text);
}

const gzipped = promisify(gzip);

/** The quickest level, off the main thread: lists are large and loopback is fast. */
export const pack = (content: string | Uint8Array): Promise<Buffer> =>
  gzipped(content, { level: constants.Z_BEST_SPEED });

async function sendPacked(response: ServerResponse, answer: ApiResponse, text: string): Promise<void> {
  const packed = await pack(text);
  if (response.destroyed) return;
  response.writeHead(answer.status, { ...packedHeaders(answer), 'content-length': packed.length });
  await finishBytes(response, packed);
}

const gzipAccepted = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** Whether the client accepts gzip and the body is not compressed already. */
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
