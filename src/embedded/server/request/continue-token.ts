import { parseJson } from '#base/json-text.ts';
import { ApiError, badRequest } from '#kube/status.ts';

/** Where the next page begins. Revision -1: from whatever is there now. */
export type ContinueToken = { readonly revision: number; readonly start: string };

/** Base64url of JSON; `start` is the first key not to be skipped, relative to the listed range. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start });
  return btoa(toBinary(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = parse(unwrap(token));
  if (v !== 'meta.k8s.io/v1')
    throw bad(`server does not recognize this encoded version ${JSON.stringify(v ?? '')}`);
  if (typeof rv !== 'number' || rv === 0 || !Number.isSafeInteger(rv))
    throw bad('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '')
    throw bad('encoded start key empty (version meta.k8s.io/v1)');
  if (start.startsWith('/') || start.split('/').includes('..'))
    throw bad(`invalid start key: ${JSON.stringify(start)}`);
  return { revision: rv, start };
}

const bad = (why: string): ApiError =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`);

function unwrap(token: string): string {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw bad('illegal base64 data at input byte 0');
  }
}

type TokenText = { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown };

function parse(binary: string): TokenText {
  try {
    const value: unknown = parseJson(fromBinary(binary));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Fall through: not a token of ours.
  }
  throw bad(`invalid character '${escaped(binary.charCodeAt(0))}' looking for beginning of value`);
}

/** A character as Go quotes it. */
function escaped(code: number): string {
  if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
  const digits = code.toString(16);
  return code < 0x80 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

const toBinary = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

const fromBinary = (binary: string): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The 410 of a page whose snapshot is compacted, with a token that continues at the newest revision. */
export const expiredPage = (start: string): ApiError =>
  new ApiError({
    code: 410,
    reason: 'Expired',
    message: tooOld,
    statusMeta: { continue: encodeContinue({ revision: -1, start }) },
  });

export const expiredRevision = (revision: number): ApiError =>
  new ApiError({
    code: 410,
    reason: 'Expired',
    message: `The resourceVersion for the provided list is too old: ${revision}`,
  });
