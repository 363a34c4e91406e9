/** The code points of a text: offsets in CEL count them. Texts without surrogates need no splitting. */
export function codePoints(text: string): readonly string[] {
  return hasSurrogates(text) ? Array.from(text) : text.split('');
}

const surrogate = /[\uD800-\uDFFF]/;
export const hasSurrogates = (text: string): boolean => surrogate.test(text);

/** The number of code points. */
export const sizeOfText = (text: string): number =>
  hasSurrogates(text) ? Array.from(text).length : text.length;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const bytesOfText = (text: string): Uint8Array => encoder.encode(text);

/** The text of bytes; undefined when they are not UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text in double quotes, with CEL's escapes. */
export function quoteText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is escaped
  return `"${text.replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (char) => escapes[char] ?? char)}"`;
}
