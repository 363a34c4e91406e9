import { harmlessText } from '#base/harmless-text.ts';
import { fitted, textWidth } from '#base/text-width.ts';

/** What a part of a line means; a terminal shows it as a colour. */
export type Tone = 'good' | 'bad' | 'busy' | 'waiting' | 'faint' | 'strong';
export type StyledText = { readonly text: string; readonly tone?: Tone | undefined };
/** A line as parts, so that its width can be measured before it has colours. */
export type StyledLine = readonly StyledText[];

const codes: Readonly<Record<Tone, string>> = {
  good: '32',
  bad: '31',
  busy: '36',
  waiting: '33',
  faint: '2',
  strong: '1',
};

export const plain = (text: string): StyledText => ({ text: oneLine(text) });
export const styled = (text: string, tone: Tone | undefined): StyledText => ({ text: oneLine(text), tone });

/** Untrusted text on one line. */
export const oneLine = (text: string): string => harmlessText(text).replaceAll(/\s+/g, ' ');

export const widthOf = (line: StyledLine): number =>
  line.reduce((width, { text }) => width + textWidth(text), 0);

/** The line as far as it fits, with an ellipsis when it does not. */
export function fittedLine(line: StyledLine, columns: number): StyledLine {
  if (widthOf(line) <= columns) return line;
  const kept: StyledText[] = [];
  let room = columns;
  for (const part of line) {
    const width = textWidth(part.text);
    if (width >= room) {
      // One column more than there is room for, so that the cut is shown.
      kept.push({ ...part, text: fitted(`${part.text} `, room) });
      break;
    }
    kept.push(part);
    room -= width;
  }
  return kept;
}

/** Words on lines of at most so many columns. A word that is longer has a line of its own, and is cut. */
export function wrappedText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = fitted(word, columns);
  }
  return line === '' ? lines : [...lines, line];
}

/** The text of a line, with colours or without, and without blanks at its end. */
export function printedLine(line: StyledLine, hasColours: boolean): string {
  const parts = trimmed(line);
  if (!hasColours) return parts.map(({ text }) => text).join('');
  return parts
    .map(({ text, tone }) =>
      tone === undefined || text === '' ? text : `\u001B[${codes[tone]}m${text}\u001B[0m`,
    )
    .join('');
}

function trimmed(line: StyledLine): StyledLine {
  const last = line.findLastIndex(({ text }) => text.trimEnd() !== '');
  return line
    .slice(0, last + 1)
    .map((part, i) => (i === last ? { ...part, text: part.text.trimEnd() } : part));
}

/** Colours only in a terminal, and not when the user has turned them off. */
export const wantsColours = ({ color }: { readonly color?: boolean }): boolean =>
  process.stdout.isTTY &&
  color !== false &&
  (process.env['NO_COLOR'] ?? '') === '' &&
  process.env['TERM'] !== 'dumb';
