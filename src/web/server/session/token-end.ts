import { fromBase64 } from '#base/base64.ts';
import { numberAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { instant, type Instant } from '#base/time.ts';
import type { Secret } from '#edge/secret.ts';

/**
 * When a token ends, if it is a JWT with `exp`. The signature is not checked: the cluster checks it with every request,
 * and the time only shortens a session.
 */
export function tokenEnd(token: Secret): Instant | undefined {
  const [, claims, signature] = token.reveal().split('.');
  if (claims === undefined || signature === undefined) return undefined;
  const seconds = numberAt(decoded(claims), 'exp');
  return seconds === undefined ? undefined : instant(seconds * 1000);
}

function decoded(text: string): Json | undefined {
  try {
    return parseJson(fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // Any text can be a token.
    return undefined;
  }
}
