import type { ServerResponse } from 'node:http';
import type { ApiBody, ApiResponse } from '#kube/http.ts';
import type { Exchange } from './exchange.ts';
import { tooManyRequests } from './fair-turns.ts';
import { sendBytes } from './send-bytes.ts';
import { sendChunks } from './send-chunks.ts';
import { sendStream } from './send-stream.ts';
import { sendText } from './send-text.ts';
import { slices } from './slices.ts';
import { statusAnswer } from './status-answer.ts';

/** Encoded and encrypted as a whole, a longer text would lie in memory several times until it is read. */
const hugeFrom = 4 * 1024 * 1024;

/** Shorter responses do not count as pending. */
const countedFrom = 32 * 1024;
/** What of a list is in memory besides the objects themselves. */
const listBytes = 256 * 1024;

/** Sends a response; settles when it is handed over completely, or the client has disconnected. */
export async function respond(exchange: Exchange, answer: ApiResponse): Promise<void> {
  const bytes = bytesHeld(answer.body);
  if (bytes <= countedFrom) return send(exchange, answer);
  if (!exchange.hold(bytes)) return send(exchange, statusAnswer(tooMuchUnread));
  try {
    return await send(exchange, answer);
  } finally {
    whenGone(exchange.response, () => exchange.letGo(bytes));
  }
}

const tooMuchUnread = tooManyRequests('too many answers have not been read yet, please try again later');

function bytesHeld(body: ApiBody): number {
  switch (body.type) {
    case 'text':
      return body.text.length;
    case 'bytes':
      return body.bytes.length;
    case 'chunks':
      return listBytes;
    case 'stream':
      return 0;
  }
}

/** What was handed over is in memory until the system has it. */
function whenGone(response: ServerResponse, done: () => void): void {
  if (response.writableFinished || response.destroyed) done();
  else response.once('close', done);
}

function send(exchange: Exchange, answer: ApiResponse): Promise<void> {
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
