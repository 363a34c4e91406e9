import {
  nonceHeader,
  nonceSignatureHeader,
  signatureOf,
  signedTextWithNonce,
  timestampHeader,
} from '#registrations/kinds/hook-headers.ts';
import { minutes } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { memoryReplayStore, type ReplayStore } from './replay-store.ts';

export type SignatureRules = {
  /** The key of hmac in the registration or the metric. */
  readonly secret: string;
  /** The maximum age of a signature in milliseconds. Defaults to 5 minutes. */
  readonly signatureAge?: number;
  /** Defaults to the memory of this process. */
  readonly replayStore?: ReplayStore;
  /** The clock for checking signatures. Defaults to the system clock. */
  readonly clock?: { readonly now: () => number };
};

/** Why a request is refused; undefined when it is valid. Names of headers are in lower case. */
export type SignatureCheck = (
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
) => Promise<string | undefined>;

/** Checks the signature and the age of requests, and refuses replays. */
export function signatureCheck(rules: SignatureRules): SignatureCheck {
  const { secret, signatureAge = minutes(5), clock = systemClock } = rules;
  const { replayStore = memoryReplayStore(clock) } = rules;
  return async (headers, body) => {
    const [timestamp, nonce, signature] = signedHeaders.map((name) => headers[name]);
    if (timestamp === undefined || nonce === undefined || signature === undefined)
      return `the request is not signed: the headers ${signedHeaders.join(', ')} are required; check auth.hmac of the registration, and that Boathook is not older than this SDK`;
    const signedAt = Number(timestamp) * 1000;
    if (!/^\d{1,15}$/.test(timestamp) || Math.abs(clock.now() - signedAt) > signatureAge)
      return 'the signature is too old, or in the future: check the clocks of both machines';
    const expected = signatureOf(hmacSha256Hex(secret, signedTextWithNonce(timestamp, nonce, body)));
    if (!isSame(expected, signature))
      return 'the signature is wrong: check that both sides have the same secret';
    // Only signed requests are remembered, so that nobody else can fill the memory.
    const isNew = await replayStore.remember(nonce, signedAt + signatureAge);
    return isNew ? undefined : 'the request is a replay: a signature can be used once';
  };
}

const signedHeaders = [timestampHeader, nonceHeader, nonceSignatureHeader] as const;

/** Compares in constant time. */
function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let i = 0; i < expected.length; i += 1) difference |= expected.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}
