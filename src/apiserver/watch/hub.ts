import type { Store } from '#apiserver/store/store.ts';
import type { Change } from '#apiserver/store/stored.ts';
import type { Watcher } from './watcher.ts';

/** A watcher this many changes behind is cut off (R16). */
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

  /** C11: a definition changed or went away: its watches end, and clients begin anew. */
  endAll(storage: string): void {
    for (const watcher of this.#watchers.get(storage) ?? []) watcher.end();
  }

  get size(): number {
    let count = 0;
    for (const watchers of this.#watchers.values()) count += watchers.size;
    return count;
  }

  #notice(changes: readonly Change[]): void {
    const touched = new Set(changes.map((change) => change.resource));
    for (const storage of touched) {
      for (const watcher of this.#watchers.get(storage) ?? []) {
        if (watcher.lag > mostLag) watcher.cut();
        else watcher.wake();
      }
    }
  }
}
