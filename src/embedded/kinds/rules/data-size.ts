import type { JsonObject } from '#base/json.ts';
import { textOf } from '#base/json-edit.ts';

const encoder = new TextEncoder();

/** The bytes of all texts of a map in UTF-8; counted exactly only when they might pass the limit. */
export function textBytes(map: JsonObject, limit: number): number {
  let characters = 0;
  for (const key in map) characters += textOf(map[key]).length;
  // One UTF-16 unit is at most three bytes of UTF-8.
  if (characters * 3 <= limit) return characters;
  let bytes = 0;
  for (const key in map) bytes += encoder.encode(textOf(map[key])).length;
  return bytes;
}

/** The bytes behind a text in base64. */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor(text.length / 4) * 3 - padding;
}
