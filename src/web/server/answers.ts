import type { ApiResponse } from '#kube/http.ts';
import type { PageFile } from './load-page.ts';
import { wireText } from './live/wire-text.ts';
import { securityHeaders } from './security-headers.ts';

type MoreHeaders = Readonly<Record<string, string>>;

const fresh = { ...securityHeaders, 'cache-control': 'no-store' } as const;

export const jsonAnswer = (status: number, value: object, headers: MoreHeaders = {}): ApiResponse => ({
  status,
  headers: { ...fresh, 'content-type': 'application/json; charset=utf-8', ...headers },
  body: { type: 'text', text: wireText(value) },
});

/** A refusal: one sentence for the user. */
export const refusal = (status: number, message: string): ApiResponse => jsonAnswer(status, { message });

/** A file of the page, compressed where the browser accepts it. */
export function fileAnswer({ type, body, gzip, isHashed }: PageFile, accepted = ''): ApiResponse {
  const isPacked = /\bgzip\b/i.test(accepted) && gzip.length < body.length;
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      'content-type': type,
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Accept-Encoding',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: { type: 'bytes', bytes: isPacked ? gzip : body },
  };
}

export const streamAnswer = (stream: AsyncIterable<string>, cut: AbortSignal): ApiResponse => ({
  status: 200,
  headers: {
    ...fresh,
    'content-type': 'text/event-stream; charset=utf-8',
    // Proxies such as nginx would otherwise hold the events back.
    'x-accel-buffering': 'no',
  },
  body: { type: 'stream', stream, cut },
});
