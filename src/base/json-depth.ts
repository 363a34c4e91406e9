import type { Json } from './json.ts';

/** No Kubernetes object is nearly this deep; recursion over values is safe below it. */
const deepestJson = 500;

/** Whether a JSON text nests deeper than `limit`. One pass, no allocation. */
export function isTooDeep(text: string, limit = deepestJson): boolean {
  if (text.length < limit * 2) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** The position of the quote that ends a JSON string; the end of the text when there is none. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Whether a value nests deeper than `limit`; it looks no further than that. */
export function isDeepValue(value: Json, limit = deepestJson): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  for (const item of Object.values(value)) {
    if (typeof item === 'object' && item !== null && isDeepValue(item, limit - 1)) return true;
  }
  return false;
}
