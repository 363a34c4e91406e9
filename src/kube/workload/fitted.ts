import { fnv32, safeName } from './safe-hash.ts';

/** The longest value of a label, and the longest host name. */
export const longestLabel = 63;

/** A text of at most so many characters: the end of longer ones is replaced by a hash. */
export function fitted(text: string, longest = longestLabel): string {
  if (text.length <= longest) return text;
  const hash = safeName(fnv32(text));
  return `${text.slice(0, longest - hash.length - 1).replace(/[^a-zA-Z0-9]+$/, '')}-${hash}`;
}
