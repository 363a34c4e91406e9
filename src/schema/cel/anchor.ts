const blank = /\s/;
const letter = /[A-Za-z0-9_]/;

/** The offset of the next sign behind a subexpression, past blanks, comments and closing parentheses. */
export function signBehind(source: string, from: number): number {
  let at = from;
  while (at < source.length) {
    if (source.startsWith('//', at)) at = endOfLine(source, at);
    else if (blank.test(source.charAt(at)) || source[at] === ')') at++;
    else return at;
  }
  return at;
}

/** The opening parenthesis of a call whose name begins at or behind an offset. */
export function parenthesisBehind(source: string, from: number): number {
  let at = signBehind(source, from);
  if (source[at] === '.') at = signBehind(source, at + 1);
  while (letter.test(source.charAt(at))) at++;
  return signBehind(source, at);
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}
