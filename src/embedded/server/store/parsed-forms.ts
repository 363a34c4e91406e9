type Holder = { forgetObject(): void };

/** A parsed object takes several times the memory of its text: only the newest `most` are kept. */
export class ParsedForms {
  readonly #most: number;
  readonly #holders: (Holder | undefined)[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Drops the oldest if there are too many. Returns the place of this one. */
  add(holder: Holder): number {
    const place = this.#next;
    this.#next = (place + 1) % this.#most;
    this.#holders[place]?.forgetObject();
    this.#holders[place] = holder;
    return place;
  }

  /** The holder has dropped its object itself. */
  leave(holder: Holder, place: number): void {
    if (this.#holders[place] === holder) this.#holders[place] = undefined;
  }
}

/** The parsed objects that one store keeps. */
export type ParsedCaches = {
  /** Objects as they were written: read again soon, or not for long. */
  readonly written: ParsedForms;
  /** Objects that were parsed: a list that was read is often read again as a whole. */
  readonly read: ParsedForms;
  /** Objects whose text is not in memory either: seldom read. */
  readonly cold: ParsedForms;
};

export const parsedCaches = (): ParsedCaches => ({
  written: new ParsedForms(2048),
  read: new ParsedForms(12_288),
  cold: new ParsedForms(256),
});
