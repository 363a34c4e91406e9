const plain = /^[\w@%+=:,./-]+$/;

/** One word for a POSIX shell, whatever it contains. A NUL cannot be part of a word and is refused. */
export function quote(word: string): string {
  if (word.includes('\0')) throw new Error('A word for a shell cannot contain a NUL character.');
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export const quoteAll = (words: readonly string[]): string => words.map(quote).join(' ');
