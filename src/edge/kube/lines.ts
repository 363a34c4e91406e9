/** Splits a stream of texts into lines; a last line without its end counts as well. */
export async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = rest + text.slice(start, end);
      rest = '';
      start = end + 1;
      if (line !== '') yield line;
    }
    rest += text.slice(start);
  }
  if (rest !== '') yield rest;
}

/** Characters may be split between two pieces of bytes. */
export async function* decodeTexts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  const last = decoder.decode();
  if (last !== '') yield last;
}
