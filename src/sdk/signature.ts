import { signatureHeader, signatureOf, signedText, timestampHeader } from '#api/registration/hook-headers.ts';
import { minutes } from '#base/time.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import type { Headers } from '#kube/http.ts';
import type { HookClock } from './hook-definition.ts';

export type SignatureRules = {
  readonly secret?: string;
  readonly signatureAge?: number;
  readonly clock: HookClock;
};

/** Why a request is not believed; undefined when it is, or when there is no secret. */
export function signatureProblem(rules: SignatureRules, headers: Headers, body: string): string | undefined {
  const { secret, signatureAge = minutes(5), clock } = rules;
  if (secret === undefined) return undefined;
  const signature = headers[signatureHeader];
  const timestamp = headers[timestampHeader];
  if (signature === undefined || timestamp === undefined)
    return `the request is not signed: the headers ${timestampHeader} and ${signatureHeader} are missing; does the registration have auth.hmac?`;
  const age = Math.abs(clock.now() - Number(timestamp) * 1000);
  if (!/^\d{1,15}$/.test(timestamp) || age > signatureAge)
    return 'the signature is too old, or from the future: are the clocks right?';
  const expected = signatureOf(hmacSha256Hex(secret, signedText(timestamp, body)));
  return isSame(expected, signature)
    ? undefined
    : 'the signature is wrong: is the secret the same on both sides?';
}

/** Takes the same time wherever the texts differ. */
function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let i = 0; i < expected.length; i += 1) difference |= expected.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}
