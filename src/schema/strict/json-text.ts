const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** How many members the objects of a valid JSON text have together, repeated ones counted every time. */
export function countMembers(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === colon) count += 1;
    else if (code === quote) at = stringEnd(text, at) - 1;
  }
  return count;
}

/** The position behind the string that begins at `at`. */
export function stringEnd(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

/** The first position from `at` on that is not white space. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** The position behind the value that begins at `at`, however deep it is. */
export function skipValue(text: string, at: number): number {
  let depth = 0;
  let next = at;
  do {
    const char = text[next];
    if (char === '"') next = stringEnd(text, next);
    else {
      if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') depth -= 1;
      next += 1;
    }
  } while (next < text.length && (depth > 0 || isInsideScalar(text, at, next)));
  return next;
}

/** Numbers, true, false and null go on until something ends them. */
function isInsideScalar(text: string, from: number, at: number): boolean {
  const first = text[from];
  if (first === '"' || first === '{' || first === '[') return false;
  return !/[\s,\]}]/.test(text[at] ?? ',');
}
