import type { Store } from '#embedded/server/store/store.ts';
import type { StoredChange } from '#embedded/server/store/stored.ts';
import type { Watcher } from './watcher.ts';

/** A watcher this many changes behind is cut off. */
const mostLag = 20_000;

/** Wakes the watchers of a resource when something happened to it. */
export class WatchHub {
  readonly #watchers = new Map<string, Set<Watcher>>();

  constructor(store: Store) {
    store.subscribe((changes) => this.#notice(changes));
  }

  add(storage: string, watcher: Watcher): () => void {
    let watchers = this.#watchers.get(storage);
    if (watchers === undefined) {
      watchers = new Set();
      this.#watchers.set(storage, watchers);
    }
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  /** A definition changed or went away: its watches end, and clients start again. */
  endAll(storage: string): void {
    for (const watcher of this.#watchers.get(storage) ?? []) watcher.end();
  }

  get size(): number {
    let count = 0;
    for (const watchers of this.#watchers.values()) count += watchers.size;
    return count;
  }

  #notice(changes: readonly StoredChange[]): void {
    for (const [storage, own] of Map.groupBy(changes, (change) => change.resource)) {
      const watchers = this.#watchers.get(storage);
      if (watchers === undefined || watchers.size === 0) continue;
      // Of many watchers of other objects none is woken: each would cost a turn of its own.
      for (const watcher of watchers) {
        if (watcher.lag > mostLag) watcher.cut();
        else if (!watcher.skips(own)) watcher.wake();
      }
    }
  }
}
