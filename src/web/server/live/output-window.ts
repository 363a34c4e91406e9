import type { OutputPart } from '#web/wire/stream.ts';

/** A part of an output: its text, and the bytes of the file that it is. */
type WindowPiece = { readonly offset: number; readonly next: number; readonly text: string };

/** The end of an output, at most so many characters of it and one piece. */
export class OutputWindow {
  readonly #most: number;
  #pieces: WindowPiece[] = [];
  #size = 0;
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The byte after the last. */
  get next(): number {
    return this.#next;
  }

  add(piece: WindowPiece): void {
    const isContinued = this.#pieces.length === 0 || piece.offset === this.#next;
    if (!isContinued) {
      this.#pieces = [];
      this.#size = 0;
    }
    this.#pieces.push(piece);
    this.#size += piece.text.length;
    this.#next = piece.next;
    while (this.#pieces.length > 1 && this.#size - (this.#pieces[0]?.text.length ?? 0) >= this.#most) {
      const oldest = this.#pieces.shift();
      this.#size -= oldest?.text.length ?? 0;
    }
  }

  /** What follows a byte that a tab has; everything if it is not known what the tab has. */
  since(have: number): Omit<OutputPart, 'isRunning'> {
    const omitted = this.#pieces[0]?.offset ?? this.#next;
    const first = have === this.#next ? -1 : this.#pieces.findIndex(({ offset }) => offset === have);
    const isWhole = first < 0 && have !== this.#next;
    const wanted = isWhole ? this.#pieces : first < 0 ? [] : this.#pieces.slice(first);
    return { isWhole, omitted, text: wanted.map(({ text }) => text).join('') };
  }
}
