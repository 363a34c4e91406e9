import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BodyTooLarge } from '#kube/http.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import { ClientGone } from './client-gone.ts';

const empty = new Uint8Array(0);
const unzip = promisify(gunzip);

/** Notes that so many bytes more are kept; throws when there is no room for them. */
type TakeRoom = (bytes: number) => void;

/** Reads a request's whole body, unpacked, refusing more than `limit` bytes before and after unpacking. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  takeRoom: TakeRoom,
): Promise<Uint8Array> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return empty;
  if (Number(headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
  const bytes = await collect(request, limit, takeRoom);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  if (encoding === 'gzip') return unpack(bytes, limit, takeRoom);
  throw new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the request body has the content encoding ${JSON.stringify(encoding)}, only gzip is understood`,
  });
}

function collect(request: IncomingMessage, limit: number, takeRoom: TakeRoom): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let ended = false;
    const refuse = (why: Error): void => {
      ended = true;
      pieces.length = 0;
      reject(why);
    };
    request.on('data', (piece: Buffer) => {
      // The rest of a refused body is read and forgotten.
      if (ended) return;
      length += piece.length;
      try {
        if (length > limit) throw new BodyTooLarge(limit);
        takeRoom(piece.length);
        pieces.push(piece);
      } catch (error) {
        refuse(error as Error);
      }
    });
    request.on('end', () => {
      ended = true;
      const [first] = pieces;
      resolve(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces));
    });
    // The socket's own error adds nothing to that.
    request.on('error', () => reject(new ClientGone()));
    request.on('close', () => {
      if (!ended) reject(new ClientGone());
    });
  });
}

async function unpack(bytes: Uint8Array, limit: number, takeRoom: TakeRoom): Promise<Uint8Array> {
  // The decompressed size is not known before the end.
  takeRoom(limit);
  try {
    return await unzip(bytes, { maxOutputLength: Math.max(1, limit) });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new BodyTooLarge(limit);
    throw badRequest('the request body is not what its content encoding gzip promises');
  }
}
