import type { Gone } from '#base/journal.ts';

/** A row that nothing needs once the change at `forgotten` is forgotten. */
type UnneededRow = { readonly revision: number; readonly forgotten: number };

/**
 * Rows that the journal may remove, oldest change first. Whatever part of them is taken, the journal holds
 * afterwards the objects as they were at the mark that goes with the part, and every change after the mark.
 * A mark beyond the part would hide the remaining rows from the next start, and old rows would outlive the
 * deletion of their object.
 */
export class RowGarbage {
  #rows: UnneededRow[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** Rows of one change belong together: only all of them leave a readable past behind. */
  add(forgotten: number, revisions: readonly number[]): void {
    for (const revision of revisions) this.#rows.push({ revision, forgotten });
  }

  /** At least `most` rows, if there are so many, and the mark up to which nothing is left to remove. */
  oldest(most: number, compacted: number): Gone {
    let count = Math.min(most, this.#rows.length);
    while (count > 0 && this.#rows[count]?.forgotten === this.#rows[count - 1]?.forgotten) count += 1;
    const next = this.#rows[count];
    return {
      revisions: this.#rows.slice(0, count).map(({ revision }) => revision),
      compacted: next === undefined ? compacted : next.forgotten - 1,
    };
  }

  /** The journal has removed them. */
  drop(gone: Gone): void {
    this.#rows = this.#rows.slice(gone.revisions.length);
  }
}
