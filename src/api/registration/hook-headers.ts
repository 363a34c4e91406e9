/** What a request to a hook carries beside its body. */
export const requestIdHeader = 'x-boathook-request-id';
export const phaseHeader = 'x-boathook-phase';
export const timestampHeader = 'x-boathook-timestamp';
export const signatureHeader = 'x-boathook-signature-256';

/** The text that is signed: whoever repeats an old request cannot change its time. `timestamp` is in seconds. */
export const signedText = (timestamp: string, body: string): string => `${timestamp}.${body}`;
export const signatureOf = (hex: string): string => `sha256=${hex}`;
