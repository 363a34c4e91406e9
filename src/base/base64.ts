const chunk = 8192;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += chunk) {
    binary += String.fromCharCode(...bytes.subarray(from, from + chunk));
  }
  return btoa(binary);
}

/** A text as base64 of its UTF-8. */
export const toBase64 = (text: string): string => encodeBase64(encoder.encode(text));

/** The text behind base64 of its UTF-8. */
export const fromBase64 = (text: string): string =>
  decoder.decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
