import { limits } from './limits.ts';
import { isList, isMap, type Value } from './value.ts';

/** A value as one would write it in an expression, cut to a length. */
export function showValue(value: Value, longest = 60): string {
  const out: Out = { text: '', longest };
  write(value, out, 0);
  return cut(out.text, longest);
}

export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, longest - 1)) ? longest - 2 : longest - 1;
  return `${text.slice(0, end)}…`;
}

type Out = { text: string; readonly longest: number };

/** Writes no more than is kept: a value may be far larger than what is shown of it. */
function write(value: Value, out: Out, depth: number): void {
  if (isList(value)) {
    writeParts(out, '[]', value, (item) => write(item, out, depth + 1));
  } else if (isMap(value)) {
    writeParts(out, '{}', Object.keys(value), (key) => {
      out.text += `${JSON.stringify(key.slice(0, out.longest))}: `;
      if (depth < limits.valueDepth) write(value[key] ?? null, out, depth + 1);
    });
  } else out.text += scalar(value, out.longest);
}

function writeParts<T>(out: Out, brackets: string, parts: readonly T[], writePart: (part: T) => void): void {
  out.text += brackets.charAt(0);
  for (const [i, part] of parts.entries()) {
    if (out.text.length > out.longest) return;
    if (i > 0) out.text += ', ';
    writePart(part);
  }
  out.text += brackets.charAt(1);
}

function scalar(value: null | boolean | bigint | number | string, longest: number): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, longest + 1));
  if (typeof value === 'number' && !Number.isNaN(value) && !Number.isFinite(value))
    return value < 0 ? '-Inf' : '+Inf';
  return String(value);
}
