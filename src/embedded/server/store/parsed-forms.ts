type Holder = { forgetObject(): void };

/** A parsed object takes several times the memory of its text: only so many are kept, those made last. */
export class ParsedForms {
  readonly #most: number;
  readonly #holders: (Holder | undefined)[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whoever has held one for the longest gives it up. Returns the place of this one. */
  add(holder: Holder): number {
    const place = this.#next;
    this.#next = (place + 1) % this.#most;
    this.#holders[place]?.forgetObject();
    this.#holders[place] = holder;
    return place;
  }

  /** It has given up by itself. */
  leave(holder: Holder, place: number): void {
    if (this.#holders[place] === holder) this.#holders[place] = undefined;
  }
}

/** What was written is read again soon, or not for long; a list that was read is often read again as a whole. */
export const written = new ParsedForms(2048);
export const read = new ParsedForms(12_288);
/** What is not kept as text either is seldom read. */
export const cold = new ParsedForms(256);
