/** The headers of a request to a hook. */
export const requestIdHeader = 'x-boathook-request-id';
export const phaseHeader = 'x-boathook-phase';
export const timestampHeader = 'x-boathook-timestamp';
/** Unique for every signed request, also for a repeated one. */
export const nonceHeader = 'x-boathook-nonce';
/** The signature without the nonce, for older services. */
export const signatureHeader = 'x-boathook-signature-256';
export const nonceSignatureHeader = 'x-boathook-signature-v2';

/** The signed text contains the timestamp, in seconds, so that it cannot be changed in a replay. */
export const signedText = (timestamp: string, body: string): string => `${timestamp}.${body}`;
/** With the nonce, so that a replay can be detected. */
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
