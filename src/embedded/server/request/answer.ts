import type { JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { ApiResponse } from '#kube/http.ts';
import { statusOf, type ApiError } from '#kube/status.ts';
import { warningHeader } from '#schema/strict/strict-errors.ts';

export const jsonType = 'application/json';
export const plainType = 'text/plain; charset=utf-8';

type Headers = Record<string, string | readonly string[]>;

const objectHeaders = (contentType: string): Headers => ({
  'content-type': contentType,
  'cache-control': 'no-cache, private',
});

export const text = (status: number, contentType: string, body: string): ApiResponse => ({
  status,
  headers: objectHeaders(contentType),
  body: { type: 'text', text: body },
});

/** JSON that is already text; like a real server's it ends with a line end. */
export const jsonText = (status: number, body: string): ApiResponse => text(status, jsonType, `${body}\n`);

export const json = (status: number, body: JsonObject): ApiResponse => jsonText(status, printJson(body));

export const pageNotFound = (): ApiResponse => text(404, plainType, '404 page not found\n');

export function refusal(error: ApiError): ApiResponse {
  const answer = json(error.code, statusOf(error));
  const retry = error.details?.retryAfterSeconds;
  return retry === undefined ? answer : withHeaders(answer, { 'retry-after': String(retry) });
}

export const withHeaders = (answer: ApiResponse, headers: Headers): ApiResponse => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/** One `Warning: 299` header per text. */
export function withWarnings(answer: ApiResponse, warnings: readonly string[]): ApiResponse {
  if (warnings.length === 0) return answer;
  const lines = warnings.map((warning) => warningHeader(printable(cut(warning))));
  let room = warningRoom;
  return withHeaders(answer, { warning: lines.filter((line) => (room -= line.length) > 0) });
}

/** A header has limits: so much of one warning, and so much of all of them. */
const longestWarning = 256;
const warningRoom = 4096;

const cut = (warning: string): string =>
  warning.length > longestWarning ? `${warning.slice(0, longestWarning)}...` : warning;

/** Header values hold one line of printable ASCII. */
const printable = (warning: string): string =>
  warning.replace(/[\r\n\t]+/g, ' ').replace(/[^\x20-\x7e]/g, '?');
