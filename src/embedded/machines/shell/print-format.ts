const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', a: '', b: '\b' };

const unescaped = (text: string): string =>
  text.replaceAll(/\\(0[0-7]{1,3}|[0-7]{1,3}|.)/g, (whole, code: string) =>
    /^[0-7]+$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? whole),
  );

const conversion = /%%|%(-?0?\d*)(?:\.\d+)?([sdibc])/g;

/** What `printf` prints: the format is used again while arguments are left. */
export function printed(format: string, words: readonly string[]): string {
  const left = [...words];
  let text = '';
  do {
    const before = left.length;
    text += unescaped(format).replaceAll(conversion, (whole, width: string, type: string) =>
      whole === '%%' ? '%' : padded(valueOf(left.shift() ?? '', type), width),
    );
    if (left.length === before) break;
  } while (left.length > 0);
  return text;
}

function valueOf(word: string, type: string): string {
  if (type === 'd' || type === 'i') return String(Math.trunc(Number(word) || 0));
  return type === 'b' ? unescaped(word) : word;
}

/** `-8`: blanks behind it; `08`: zeros before it. */
const padded = (value: string, width: string): string =>
  width.startsWith('-')
    ? value.padEnd(Number(width.slice(1)))
    : value.padStart(Number(width), width.startsWith('0') ? '0' : ' ');
