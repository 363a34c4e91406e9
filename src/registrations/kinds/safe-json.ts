import type { Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { isTooDeep } from '#base/json-depth.ts';
import { jsonSyntaxError } from '#base/json-syntax.ts';
import { duplicateFields } from '#schema/strict/duplicate-fields.ts';

export type SafeJson =
  { readonly type: 'json'; readonly value: Json } | { readonly type: 'problem'; readonly message: string };

const deepest = 64;

/** Parses untrusted JSON: one value, limited depth, no duplicate members, no `__proto__` and the like. */
export function readSafeJson(text: string): SafeJson {
  if (isTooDeep(text, deepest)) return problem(`is nested deeper than ${deepest} levels`);
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    return problem(`is not JSON: ${jsonSyntaxError(text)}`);
  }
  const [twice] = duplicateFields(text, value);
  if (twice !== undefined) return problem(`has the member ${twice} more than once`);
  const fault = faultOf(value);
  return fault === undefined ? { type: 'json', value } : problem(fault);
}

const problem = (message: string): SafeJson => ({ type: 'problem', message });

const reaching: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function faultOf(root: Json): string | undefined {
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'number' && !isExact(value))
      return `has the number ${value}, which is too large to be exact`;
    if (typeof value !== 'object' || value === null) continue;
    const name = Array.isArray(value) ? undefined : Object.keys(value).find((key) => reaching.has(key));
    if (name !== undefined) return `has a member called ${name}`;
    for (const part of Object.values(value)) open.push(part);
  }
  return undefined;
}

/** Integers beyond 64 bits lose digits, and numbers beyond the range of floats become null. */
const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
