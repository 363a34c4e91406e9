const encoder = new TextEncoder();

/** The bytes of a text in UTF-8; counted exactly only when the limit might be passed. */
export const textSize = (text: string, limit: number): number =>
  text.length * 3 <= limit / 16 ? text.length : encoder.encode(text).length;

/** The bytes behind a text in base64. */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor(text.length / 4) * 3 - padding;
}

/** A text as base64 of its UTF-8. */
export function toBase64(text: string): string {
  const bytes = encoder.encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const decoder = new TextDecoder();

export const fromBase64 = (text: string): string =>
  decoder.decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
