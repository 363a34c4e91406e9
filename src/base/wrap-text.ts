import { textWidth } from './text-width.ts';

/** Columns of a text's first and of its other lines. */
export type WrapIndent = { readonly first: string; readonly rest: string };

/** A text as lines of at most `columns`, broken at blanks. A word that is longer is cut. */
export function wrapText(text: string, columns: number, indent: WrapIndent): readonly string[] {
  const lines: string[] = [];
  let line = indent.first;
  let isEmpty = true;
  const next = (): void => {
    lines.push(line);
    line = indent.rest;
    isEmpty = true;
  };
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    if (!isEmpty && textWidth(line) + 1 + textWidth(word) > columns) next();
    for (const piece of piecesOf(word, Math.max(1, columns - textWidth(indent.rest)))) {
      if (!isEmpty && textWidth(line) + 1 + textWidth(piece) > columns) next();
      line += isEmpty ? piece : ` ${piece}`;
      isEmpty = false;
    }
  }
  return [...lines, line];
}

/** A word in pieces that fit into a line. */
function piecesOf(word: string, columns: number): readonly string[] {
  if (textWidth(word) <= columns) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const letter of word) {
    if (piece !== '' && textWidth(piece + letter) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += letter;
  }
  return [...pieces, piece];
}
