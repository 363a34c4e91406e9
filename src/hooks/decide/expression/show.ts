import { shorten } from '#base/text.ts';
import { limits } from './limits.ts';
import { isList, isMap, type ExprValue } from './value.ts';

/** A value as it is written in an expression, of at most `longest` characters. */
export const showValue = (value: ExprValue, longest = 60): string =>
  shorten(shown(value, longest, 0), longest);

/** The text of a value, which ends soon after `room` characters: a value can be much larger than what is shown. */
function shown(value: ExprValue, room: number, depth: number): string {
  if (isList(value)) return enclosed('[]', value, room, (item, left) => shown(item, left, depth + 1));
  if (!isMap(value)) return scalar(value, room);
  return enclosed('{}', Object.keys(value), room, (key, left) => {
    const name = `${quoted(key, left)}: `;
    if (depth >= limits.valueDepth) return name;
    return `${name}${shown(value[key] ?? null, left - name.length, depth + 1)}`;
  });
}

function enclosed<Part>(
  brackets: string,
  parts: readonly Part[],
  room: number,
  show: (part: Part, left: number) => string,
): string {
  let text = brackets.charAt(0);
  for (const [i, part] of parts.entries()) {
    if (text.length > room) return text;
    const comma = i > 0 ? ', ' : '';
    text += `${comma}${show(part, room - text.length - comma.length)}`;
  }
  return `${text}${brackets.charAt(1)}`;
}

const quoted = (text: string, room: number): string => JSON.stringify(text.slice(0, Math.max(0, room) + 1));

function scalar(value: null | boolean | bigint | number | string, room: number): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return quoted(value, room);
  if (typeof value === 'number' && !Number.isNaN(value) && !Number.isFinite(value))
    return value < 0 ? '-Inf' : '+Inf';
  return String(value);
}
