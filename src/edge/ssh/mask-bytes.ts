import { mask, maskedTexts } from '#base/mask-text.ts';

/** Hides secrets in a stream of bytes, also those that come in two pieces. */
export type ByteMask = {
  push(bytes: Uint8Array): Uint8Array;
  /** What was kept back. */
  end(): Uint8Array;
};

/** The possible beginning of a secret is held back until the next bytes arrive. */
export function byteMask(secrets: Iterable<string>): ByteMask {
  const texts = [...secrets];
  const encoded = texts.map((each) => Buffer.from(each.trim()).toString('base64').replace(/=+$/, ''));
  // Latin-1 has one letter for each byte, so that texts stand for bytes here.
  const hidden = maskedTexts([...texts, ...encoded]).map((each) => Buffer.from(each).toString('latin1'));
  if (hidden.length === 0) return { push: (bytes) => bytes, end: () => new Uint8Array() };
  let kept = '';
  const shown = (text: string, isLast: boolean): Uint8Array => {
    let done = '';
    let rest = text;
    for (;;) {
      const found = firstOf(rest, hidden);
      if (found === undefined) break;
      done += rest.slice(0, found.at) + mask;
      rest = rest.slice(found.at + found.length);
    }
    const open = isLast ? 0 : openLength(rest, hidden);
    kept = rest.slice(rest.length - open);
    return Buffer.from(done + rest.slice(0, rest.length - open), 'latin1');
  };
  return {
    push: (bytes) => shown(kept + Buffer.from(bytes).toString('latin1'), false),
    end: () => shown(kept, true),
  };
}

type Found = { readonly at: number; readonly length: number };

/** The first secret in a text; of those that begin at one place the longest. */
function firstOf(text: string, hidden: readonly string[]): Found | undefined {
  let best: Found | undefined;
  for (const each of hidden) {
    const at = text.indexOf(each);
    if (at >= 0 && (best === undefined || at < best.at)) best = { at, length: each.length };
  }
  return best;
}

/** How many letters at the end of a text may be the beginning of a secret. */
function openLength(text: string, hidden: readonly string[]): number {
  let longest = 0;
  for (const each of hidden) {
    const most = Math.min(each.length - 1, text.length);
    for (let length = most; length > longest; length--)
      if (text.endsWith(each.slice(0, length))) {
        longest = length;
        break;
      }
  }
  return longest;
}
