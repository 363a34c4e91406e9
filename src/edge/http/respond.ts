import type { ApiResponse } from '#kube/http.ts';
import type { Exchange } from './exchange.ts';
import { sendChunks } from './send-chunks.ts';
import { sendStream } from './send-stream.ts';
import { sendText } from './send-text.ts';

/** Sends an answer; settles when it is handed over completely, or the client is gone. */
export function respond(exchange: Exchange, answer: ApiResponse): Promise<void> {
  const { body } = answer;
  switch (body.type) {
    case 'text':
      return sendText(exchange, answer, body.text);
    case 'chunks':
      return sendChunks(exchange, answer, body.chunks);
    case 'stream':
      return sendStream(exchange, answer, body);
  }
}
