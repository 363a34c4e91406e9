import { RecentMap } from '#base/recent-map.ts';
import type { Instant } from '#base/time.ts';
import { isHarmlessManager, statusWriters, type StatusManager } from '#kube/metadata/status-writers.ts';
import type { WithMetadata } from '#kube/object.ts';

/** Objects whose last write is remembered. */
const memory = 4096;

/** Finds other controllers that write the status of our objects. */
export class OtherWriters {
  readonly #lastWrites = new RecentMap<Instant>(memory);

  /**
   * Another controller has written the status since our last write. Both times are those of the server, in whole seconds.
   * `written`: the response to our write. A status that another controller wrote before our first write is no conflict.
   */
  since(key: string, written: WithMetadata): StatusManager | undefined {
    const writers = statusWriters(written);
    const before = this.#lastWrites.get(key);
    const own = writers.filter(({ manager }) => manager.startsWith('boathook')).map(({ time }) => time);
    const last = own.toSorted((left, right) => left - right).at(-1);
    if (last !== undefined) this.#lastWrites.set(key, last);
    if (before === undefined) return undefined;
    return writers.find(({ manager, time }) => !isHarmlessManager(manager) && time > before);
  }

  forget(key: string): void {
    this.#lastWrites.delete(key);
  }
}
