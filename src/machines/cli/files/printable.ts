/** Removes control characters of scripts and files, which could move the cursor. */
export const printable = (text: string): string =>
  text.replaceAll(/\p{Cc}\[[0-9;?]*[A-Za-z]/gu, '').replaceAll(/\p{Cc}/gu, ' ');
