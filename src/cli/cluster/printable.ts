/** What a script prints, or a file names, must not move our cursor. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '').replaceAll(/\p{Cc}/gu, ' ');

/** East Asian letters and pictures take two columns of a terminal; marks above others none. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const none = /[\p{Mn}\p{Me}\p{Cf}]/u;

const widthOf = (letter: string): number => (none.test(letter) ? 0 : wide.test(letter) ? 2 : 1);

/** The text as far as it fits, with an ellipsis when it does not. */
export function fitted(text: string, columns: number): string {
  let kept = '';
  let keptWidth = 0;
  let width = 0;
  for (const letter of text) {
    width += widthOf(letter);
    if (width > columns) return `${kept}…`;
    if (width < columns) {
      kept += letter;
      keptWidth = width;
    }
  }
  return keptWidth === width ? kept : text;
}
