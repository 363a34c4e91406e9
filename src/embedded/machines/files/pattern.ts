/** A text in which some characters are patterns: `*`, `?` and `[…]` of the parts that are not quoted. */
export type PatternPiece = { readonly text: string; readonly isQuoted: boolean };

const special = /[*?]|\[.*\]/;

export const hasPattern = (pieces: readonly PatternPiece[]): boolean =>
  pieces.some(({ text, isQuoted }) => !isQuoted && special.test(text));

/** The source of an expression that matches what the pattern does; `any` stands for `*`. */
export const patternSource = (pieces: readonly PatternPiece[], any: string): string =>
  pieces.map(({ text, isQuoted }) => (isQuoted ? escaped(text) : unquoted(text, any))).join('');

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

const unquoted = (text: string, any: string): string =>
  text.replaceAll(/\*|\?|\[!?\]?[^\]]*\]|[^*?[]+|\[/g, (part) => {
    if (part === '*') return any;
    if (part === '?') return any === '[^]*' ? '[^]' : '[^/]';
    if (!part.startsWith('[') || part === '[') return escaped(part);
    const isNot = part.startsWith('[!');
    const inside = part.slice(isNot ? 2 : 1, -1).replaceAll(/[\\^\][]/g, String.raw`\$&`);
    return `[${isNot ? '^' : ''}${inside}]`;
  });

/** Whether a text as a whole is one of the pattern. */
export const matchesPattern = (text: string, pieces: readonly PatternPiece[]): boolean =>
  new RegExp(`^(?:${patternSource(pieces, '[^]*')})$`).test(text);

/** The text without its shortest or longest beginning or end that the pattern matches. */
export function trimmed(text: string, operator: string, pieces: readonly PatternPiece[]): string {
  const isFront = operator.startsWith('#');
  const isLong = operator.length === 2;
  const whole = new RegExp(`^(?:${patternSource(pieces, '[^]*')})$`);
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => (isLong ? text.length - at : at));
  const cut = lengths.find((length) =>
    whole.test(isFront ? text.slice(0, length) : text.slice(text.length - length)),
  );
  if (cut === undefined) return text;
  return isFront ? text.slice(cut) : text.slice(0, text.length - cut);
}
