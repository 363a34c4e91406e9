/** What a request to a hook carries beside its body. */
export const requestIdHeader = 'x-boathook-request-id';
export const phaseHeader = 'x-boathook-phase';
export const timestampHeader = 'x-boathook-timestamp';
/** Another for every signed request, also when the same one is sent again. */
export const nonceHeader = 'x-boathook-nonce';
/** The signature without the nonce, for services that do not know of it. */
export const signatureHeader = 'x-boathook-signature-256';
export const nonceSignatureHeader = 'x-boathook-signature-v2';

/** The text that is signed: whoever repeats an old request cannot change its time. `timestamp` is in seconds. */
export const signedText = (timestamp: string, body: string): string => `${timestamp}.${body}`;
/** With the nonce, so that a request can be told from its repetition. */
export const signedTextWithNonce = (timestamp: string, nonce: string, body: string): string =>
  `${timestamp}.${nonce}.${body}`;
export const signatureOf = (hex: string): string => `sha256=${hex}`;

type Signing = {
  /** HMAC-SHA256 in hex. */
  readonly hmac: (key: string, text: string) => string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly nonce: string;
};

/** The headers of a request that can be used once. */
export function nonceSignature({ hmac, key, now, nonce }: Signing, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  return {
    [timestampHeader]: timestamp,
    [nonceHeader]: nonce,
    [nonceSignatureHeader]: signatureOf(hmac(key, signedTextWithNonce(timestamp, nonce, body))),
  };
}
