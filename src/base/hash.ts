/** FNV-1a over UTF-16 code units, 64 bits as 16 hex digits: for names and cache tags, not for secrets. */
export function hashText(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let at = 0; at < text.length; at += 1) {
    low ^= text.charCodeAt(at);
    // Multiply by the prime 2^40 + 0x1b3 in two halves of 32 bits.
    const product = (low >>> 0) * 0x1b3;
    const carried = Math.floor(product / 0x1_0000_0000);
    high = (Math.imul(high, 0x1b3) + carried + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
