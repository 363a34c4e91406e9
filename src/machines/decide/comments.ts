/**
 * The text with its `//` comments blanked, places of everything else unchanged.
 *
 * Two formats occur: JSON with comments behind values, and YAML with `//` in place of `#`. In the first
 * a comment begins anywhere outside a string; in the second only after a blank, so that `http://…` stays whole.
 */
export function withoutComments(text: string): string {
  if (isJsonLike(text)) return text.replaceAll(inJson, keepQuoted);
  return text
    .split('\n')
    .map((line) => line.replaceAll(inYaml, keepQuoted))
    .join('\n');
}

const isJsonLike = (text: string): boolean => /^\s*(?:\/\/.*\s*)*[{[]/.test(text);

const blank = (comment: string): string => ' '.repeat(comment.length);

const inJson = /"(?:[^"\\\n]|\\.)*"|\/\/.*/g;
/** An apostrophe inside a word begins no string. */
const inYaml = /"(?:[^"\\]|\\.)*"|(?<=^|[\s,:[{-])'(?:[^']|'')*'|(?<=^|\s)\/\/.*/g;

const keepQuoted = (found: string): string => (found.startsWith('//') ? blank(found) : found);
