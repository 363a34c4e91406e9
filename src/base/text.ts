/** A text of at most `longest` characters; a longer one ends with an ellipsis. No character is cut in two. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = isFirstHalf(text.charCodeAt(longest - 2)) ? longest - 2 : longest - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}

/** The first half of a character beyond U+FFFF, which takes two places in a text. */
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** `1 pod`, `2 pods`. */
export const countText = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;
