/** The value of a literal, or why it is invalid. */
export type Literal<T> =
  { readonly type: 'read'; readonly value: T } | { readonly type: 'bad'; readonly reason: string };

const largest = 2n ** 63n - 1n;

export function readNumber(text: string): Literal<bigint | number> {
  const digits = text.replaceAll('_', '');
  if (/^0[xX]/.test(digits) || !/[.eE]/.test(digits)) return readWhole(digits);
  if (!/\d$|\.$/.test(digits)) return { type: 'bad', reason: `${text} is not a number` };
  const value = Number(digits);
  return Number.isFinite(value)
    ? { type: 'read', value }
    : { type: 'bad', reason: `${text} is too large for a number` };
}

function readWhole(digits: string): Literal<bigint> {
  if (/^0[xX]$/.test(digits)) return { type: 'bad', reason: `${digits} is not a number` };
  const value = BigInt(digits);
  return value <= largest
    ? { type: 'read', value }
    : { type: 'bad', reason: `${digits} does not fit into 64 bits` };
}

const plain: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const escape =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\'"`?])|[^])/g;

/** The text between two quotes, its escapes replaced. */
export function readText(inner: string): Literal<string> {
  if (!inner.includes('\\')) return { type: 'read', value: inner };
  let reason: string | undefined;
  const value = inner.replaceAll(escape, (all: string, ...groups: (string | undefined)[]) => {
    const [hex, short, long, octal, letter] = groups;
    if (letter !== undefined) return plain[letter] ?? letter;
    const code =
      octal === undefined ? Number.parseInt(hex ?? short ?? long ?? 'x', 16) : Number.parseInt(octal, 8);
    if (isCharacter(code)) return String.fromCodePoint(code);
    reason ??= `${all} is not an escape`;
    return '';
  });
  return reason === undefined ? { type: 'read', value } : { type: 'bad', reason };
}

const isCharacter = (code: number): boolean =>
  code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
