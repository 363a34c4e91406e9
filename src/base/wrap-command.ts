import { textWidth } from './text-width.ts';

/**
 * A shell command as lines of at most `columns` where that is possible. A break is at a blank outside of quotes and has
 * a backslash before it, so that the lines can be copied into a shell.
 */
export function wrapCommand(command: string, columns: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(command)) {
    const room = columns - textWidth(indent) - (lines.length > 0 ? 2 : 0);
    // The backslash needs two columns.
    if (
      line !== '' &&
      textWidth(line) + 1 + textWidth(word) + 2 > room &&
      textWidth(command) + textWidth(indent) > columns
    ) {
      lines.push(line);
      line = word;
    } else {
      line += line === '' ? word : ` ${word}`;
    }
  }
  const all = [...lines, line];
  return all.map((each, at) => {
    const lead = at === 0 ? indent : `${indent}  `;
    return at < all.length - 1 ? `${lead}${each} \\` : `${lead}${each}`;
  });
}

/** The words of a command; a quoted text is one word. */
const wordsOf = (command: string): readonly string[] => command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
