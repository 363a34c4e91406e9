const length = 256 * 1024;

/** A long text in pieces, none of which ends within a character. */
export function* slices(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = boundary(text, start + length);
    yield text.slice(start, end);
    start = end;
  }
}

/** A pair of surrogates is one character. */
const boundary = (text: string, end: number): number =>
  end < text.length && isFirstOfPair(text.charCodeAt(end - 1)) ? end + 1 : end;

const isFirstOfPair = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
