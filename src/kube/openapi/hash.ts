/** FNV-1a, twice with different seeds: sixteen hexadecimal digits that change with the text. Not for secrets. */
export function hashText(text: string): string {
  return fnv1a(text, 0x811c9dc5) + fnv1a(text, 0x1b873593);
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ (code & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (code >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
