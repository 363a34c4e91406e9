const newline = 10;
const decoder = new TextDecoder();

/** Reads lines and counted bytes from a stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** A line without its end; undefined when the stream is over. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(newline);
      if (end >= 0) {
        const line = decoder.decode(this.#rest.subarray(0, end));
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (!(await this.#more())) return undefined;
    }
  }

  /** So many bytes piece by piece; fewer when the stream is over before. */
  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    let left = count;
    while (left > 0 && (this.#rest.length > 0 || (await this.#more()))) {
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    this.#rest = joinBytes([this.#rest, value]);
    return true;
  }
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
