import type { ApiResponse } from '#kube/http.ts';
import type { Exchange } from './exchange.ts';
import { sendBytes } from './send-bytes.ts';
import { sendChunks } from './send-chunks.ts';
import { sendStream } from './send-stream.ts';
import { sendText } from './send-text.ts';
import { slices } from './slices.ts';

/** Encoded and encrypted as a whole, a longer text would lie in memory several times until it is read. */
const hugeFrom = 4 * 1024 * 1024;

/** Sends an answer; settles when it is handed over completely, or the client is gone. */
export function respond(exchange: Exchange, answer: ApiResponse): Promise<void> {
  const { body } = answer;
  switch (body.type) {
    case 'text':
      return body.text.length > hugeFrom
        ? sendChunks(exchange, answer, slices(body.text))
        : sendText(exchange, answer, body.text);
    case 'bytes':
      return sendBytes(exchange, answer, body.bytes);
    case 'chunks':
      return sendChunks(exchange, answer, body.chunks);
    case 'stream':
      return sendStream(exchange, answer, body);
  }
}
