/** The tokens of a JSON pointer (RFC 6901); undefined when the text is not one. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~') ? tokens.map(unescapeToken) : tokens;
}

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

const wholeNumber = /^[+-]?\d+$/;

/**
 * The place in a list of `length` items that a token names; undefined when there is none. Real servers count
 * negative numbers from the end.
 */
export function listIndex(token: string, length: number): number | undefined {
  if (!wholeNumber.test(token)) return undefined;
  const index = Number(token);
  const place = index < 0 ? index + length : index;
  return place >= 0 && place < length ? place : undefined;
}
