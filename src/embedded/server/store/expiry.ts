import { later, millis, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';
import type { StoredChange, Stored } from './stored.ts';

/** Events of both groups are stored here. */
export const eventStorage = '/events';

/** Objects of one resource that are removed some time after they were last written, as upstream does with events. */
export type Expiring = {
  readonly resource: string;
  /** 0 keeps them for ever. */
  readonly ttl: Millis;
};

export type ExpiryDeps = {
  readonly clock: Clock;
  /** Removes those that are still as they were; settles when that is durable. */
  readonly remove: (objects: readonly Stored[]) => Promise<void>;
  readonly get: (key: string) => Stored | undefined;
  /** Called with what the removal failed with; it is tried again. */
  readonly report: (error: unknown) => void;
};

/** The number of objects removed in one transaction; other requests run before the next one. */
const batchSize = 100;
const batchPause = millis(20);
/** Objects that expire within this span are removed together. */
const grain = seconds(1);
const retryPause = seconds(10);

export class Expiry {
  readonly #deps: ExpiryDeps;
  readonly #expiring: Expiring;
  /** When each was written, in the order of writes. */
  readonly #written = new Map<string, Instant>();
  #cancel: (() => void) | undefined;

  constructor(deps: ExpiryDeps, expiring: Expiring) {
    this.#deps = deps;
    this.#expiring = expiring;
  }

  note({ resource, type, after, at }: Pick<StoredChange, 'resource' | 'type' | 'after' | 'at'>): void {
    if (resource !== this.#expiring.resource || this.#expiring.ttl === 0) return;
    this.#written.delete(after.key);
    if (type !== 'DELETED') this.#written.set(after.key, at);
    if (this.#cancel === undefined) this.#waitForOldest();
  }

  close(): void {
    this.#cancel?.();
  }

  #waitForOldest(): void {
    const oldest = this.#written.values().next();
    if (oldest.done === true) this.#cancel = undefined;
    else this.#runAfter(millis(later(oldest.value, this.#expiring.ttl) - this.#deps.clock.now() + grain));
  }

  #runAfter(span: Millis): void {
    this.#cancel = this.#deps.clock.after(millis(Math.max(0, span)), () => void this.#removeSome());
  }

  async #removeSome(): Promise<void> {
    const { remove, report } = this.#deps;
    try {
      const expired = this.#expired();
      if (expired.length > 0) await remove(expired);
      if (expired.length === batchSize) this.#runAfter(batchPause);
      else this.#waitForOldest();
    } catch (error) {
      report(error);
      this.#runAfter(retryPause);
    }
  }

  #expired(): readonly Stored[] {
    const now = this.#deps.clock.now();
    const found: Stored[] = [];
    for (const [key, at] of this.#written) {
      if (found.length === batchSize || later(at, this.#expiring.ttl) > now) break;
      const stored = this.#deps.get(key);
      if (stored !== undefined) found.push(stored);
    }
    return found;
  }
}
