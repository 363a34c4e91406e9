type State = 'size' | 'data' | 'data-end' | 'trailer';

/** Reads a body in chunked transfer coding as it arrives, piece by piece. */
export class ChunkedBody {
  #state: State = 'size';
  #line = '';
  #left = 0;

  /** Hands on what `bytes` hold of the body. True when the body is complete. */
  feed(bytes: Buffer, onPiece: (piece: Buffer) => void): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const piece = bytes.subarray(at, at + this.#left);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#state = 'data-end';
        onPiece(piece);
        continue;
      }
      const end = bytes.indexOf(0x0a, at);
      this.#line += bytes.toString('latin1', at, end < 0 ? bytes.length : end);
      if (end < 0) return false;
      at = end + 1;
      if (this.#endLine()) return true;
    }
    return false;
  }

  #endLine(): boolean {
    const line = this.#line.trimEnd();
    this.#line = '';
    if (this.#state === 'trailer') return line === '';
    if (this.#state === 'data-end') {
      this.#state = 'size';
      return false;
    }
    this.#left = Number.parseInt(line, 16);
    this.#state = this.#left === 0 ? 'trailer' : 'data';
    return false;
  }
}
