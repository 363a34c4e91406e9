/** East Asian letters and pictures take two columns of a terminal; marks above others none. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const none = /[\p{Mn}\p{Me}\p{Cf}]/u;

const widthOf = (letter: string): number => (none.test(letter) ? 0 : wide.test(letter) ? 2 : 1);

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Columns of a terminal that a text takes. */
export function textWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const letter of text) width += widthOf(letter);
  return width;
}

/** The text with blanks behind it, so that it takes that many columns. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

/** The text as far as it fits, with an ellipsis when it does not. */
export function fitted(text: string, columns: number): string {
  let kept = '';
  let keptWidth = 0;
  let width = 0;
  for (const letter of text) {
    width += widthOf(letter);
    if (width > columns) return columns < 1 ? '' : `${kept}…`;
    if (width < columns) {
      kept += letter;
      keptWidth = width;
    }
  }
  return keptWidth === width ? kept : text;
}
