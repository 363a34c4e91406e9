/** What a script prints, or a file names, must not move our cursor. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '').replaceAll(/\p{Cc}/gu, ' ');
