import type { Journal, Row } from '#base/journal.ts';
import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import type { History } from './history.ts';
import type { StoredChange } from './stored.ts';

export type JournalWriterDeps = {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called once when the journal begins to refuse, and not again before it has written. */
  readonly report?: (error: unknown) => void;
};

/** How long to wait before housekeeping that failed is tried again. */
const retryPause = seconds(5);

/** What the store writes: its changes at once, and the removal of old rows in quiet moments. */
export class JournalWriter {
  readonly #deps: JournalWriterDeps;
  readonly #history: History;
  #cancel: (() => void) | undefined;
  #isRefused = false;

  constructor(deps: JournalWriterDeps, history: History) {
    this.#deps = deps;
    this.#history = history;
    if (history.hasGarbage) this.tidyWhenIdle();
  }

  /** A busy store removes rows with every append: twice as many as it adds, so that its file stops growing. */
  append(changes: readonly StoredChange[]): void {
    const gone = this.#history.isBehind ? this.#history.oldestGarbage(changes.length * 2) : undefined;
    this.#attempt(() => this.#deps.journal.append(changes.map(rowOf), gone));
    if (gone !== undefined) this.#history.dropGarbage(gone);
  }

  tidyWhenIdle(): void {
    this.#tidyAfter(seconds(1));
  }

  close(): void {
    this.#cancel?.();
    this.#deps.journal.close();
  }

  #tidyAfter(span: Millis, isLast = false): void {
    this.#cancel?.();
    this.#cancel = this.#deps.clock.after(span, () => {
      if (!this.#tidy()) return this.#tidyAfter(retryPause);
      // History ages without new changes too.
      if (!isLast) this.#tidyAfter(millis(this.#history.age), true);
    });
  }

  /** False when the disk refuses: nothing is lost by that, and the next attempt may succeed. */
  #tidy(): boolean {
    const { journal, clock } = this.#deps;
    this.#history.trim(clock.now());
    const gone = this.#history.oldestGarbage();
    try {
      this.#attempt(() => {
        if (gone.revisions.length > 0) journal.forget(gone);
        this.#history.dropGarbage(gone);
        journal.tidy();
      });
      return true;
    } catch {
      return false; // It was reported.
    }
  }

  #attempt(work: () => void): void {
    try {
      work();
      this.#isRefused = false;
    } catch (error) {
      if (!this.#isRefused) this.#deps.report?.(error);
      this.#isRefused = true;
      throw error;
    }
  }
}

const rowOf = (change: StoredChange): Row => ({
  revision: change.after.revision,
  resource: change.resource,
  key: change.after.key,
  deleted: change.type === 'DELETED',
  at: change.at,
  json: change.after.json,
});
