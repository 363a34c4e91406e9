import type { ApiRequest } from '#kube/http.ts';
import { BodyTooLarge } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';

const bodyLimit = 3 * 1024 * 1024;

/** The whole body, or 413. */
export async function readBody(request: ApiRequest): Promise<Uint8Array> {
  try {
    return await request.body(bodyLimit);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw tooLarge(error.limit);
    throw error;
  }
}

const decoder = new TextDecoder('utf-8');

export async function readText(request: ApiRequest): Promise<string> {
  return decoder.decode(await readBody(request));
}

export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

const tooLarge = (limit: number): ApiError =>
  new ApiError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limit}`,
  });
