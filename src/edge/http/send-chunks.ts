import type { ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { ApiResponse } from '#kube/http.ts';
import { drained } from './drained.ts';
import type { Exchange } from './exchange.ts';
import { finish, left } from './finish.ts';
import { gzipFrom, mayPack, packedHeaders, sendText, type NodeHeaders } from './send-text.ts';

/** Many small writes are slow; this much leaves at once. */
const pieceSize = 64 * 1024;
/** After this long other requests get a turn. */
const turnMillis = 4;

/**
 * Sends texts one after the other as they are made: the next is read when the last is sent. What turns
 * out to be short is sent as one text.
 */
export async function sendChunks(
  exchange: Exchange,
  answer: ApiResponse,
  chunks: Iterable<string>,
): Promise<void> {
  const enough = mayPack(exchange, answer) ? gzipFrom + 1 : pieceSize;
  let sink: Sink | undefined;
  let piece = '';
  let turn = performance.now();
  for (const chunk of chunks) {
    // Joined to what waits, a long text would be copied.
    if (sink !== undefined && piece !== '' && chunk.length >= pieceSize) {
      await sink.write(piece);
      piece = '';
    }
    piece += chunk;
    if (piece.length >= (sink === undefined ? enough : pieceSize)) {
      sink ??= open(exchange, answer);
      await sink.write(piece);
      piece = '';
    }
    turn = await giveWay(exchange, turn);
    if (exchange.response.destroyed) return;
  }
  if (sink === undefined) await sendText(exchange, answer, piece);
  else await sink.end(piece);
}

/** Lets other requests run after a long turn; returns the start of the present turn. */
async function giveWay(exchange: Exchange, turn: number): Promise<number> {
  if (performance.now() - turn <= turnMillis) return turn;
  await exchange.giveWay();
  return performance.now();
}

type Sink = {
  readonly write: (piece: string) => Promise<void>;
  readonly end: (last: string) => Promise<void>;
};

const open = (exchange: Exchange, answer: ApiResponse): Sink =>
  mayPack(exchange, answer) ? packed(exchange, answer) : plain(exchange, answer);

function plain({ response }: Exchange, answer: ApiResponse): Sink {
  response.writeHead(answer.status, answer.headers as NodeHeaders);
  return { write: (piece) => left(response, piece), end: (last) => finish(response, last) };
}

function packed({ response }: Exchange, answer: ApiResponse): Sink {
  response.writeHead(answer.status, packedHeaders(answer));
  const packer = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: pieceSize });
  response.once('close', () => packer.destroy());
  const done = pour(packer, response);
  return {
    async write(piece) {
      if (!packer.write(piece)) await drained(packer, response);
    },
    end(last) {
      packer.end(last);
      return done;
    },
  };
}

/** Sends what comes out of the packer, no faster than it leaves. */
async function pour(packer: Gzip, response: ServerResponse): Promise<void> {
  try {
    for await (const bytes of packer) {
      await left(response, bytes as Buffer);
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    // A client that disconnects closes both ends; that is not a failure of the server.
    if (!response.destroyed) throw error;
  }
}
