import type { ApiResponse } from '#kube/http.ts';
import type { Exchange } from './exchange.ts';
import { finishBytes } from './finish.ts';
import { gzipFrom, mayPack, pack, packedHeaders, type NodeHeaders } from './send-text.ts';

/** Sends complete bytes: compressed when they are many and the client accepts gzip. */
export async function sendBytes(exchange: Exchange, answer: ApiResponse, bytes: Uint8Array): Promise<void> {
  const { response } = exchange;
  const isPacked = bytes.length > gzipFrom && mayPack(exchange, answer);
  const sent = isPacked ? await pack(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (response.destroyed) return;
  const headers = isPacked ? packedHeaders(answer) : (answer.headers as NodeHeaders);
  response.writeHead(answer.status, { ...headers, 'content-length': sent.length });
  if (exchange.method === 'HEAD') response.end();
  else await finishBytes(response, sent);
}
