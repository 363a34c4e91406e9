import { equalJson, isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** What differs between two values, one `path: before -> after` per line: the end of some refusals. */
export function describeChanges(before: Json | undefined, after: Json | undefined, path = ''): string {
  const lines: string[] = [];
  collect(before, after, path, lines);
  return lines.join('\n');
}

const mostLines = 20;

function collect(before: Json | undefined, after: Json | undefined, path: string, lines: string[]): void {
  if (lines.length >= mostLines || equalJson(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(before[key], after[key], path === '' ? key : `${path}.${key}`, lines);
    }
  } else if (isArray(before) && isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++)
      collect(before[i], after[i], `${path}[${i}]`, lines);
  } else {
    lines.push(`  ${path}: ${shown(before)} -> ${shown(after)}`);
  }
}

const shown = (value: Json | undefined): string => (value === undefined ? 'absent' : printJson(value));
