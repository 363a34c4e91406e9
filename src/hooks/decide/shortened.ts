/** A status is no place for a whole document, and the server refuses conditions that are one. */
const longest = 1024;

export const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
