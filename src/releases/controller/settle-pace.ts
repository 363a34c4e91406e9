import { exponentialDelay } from '#base/back-off.ts';
import { millis, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';

/** `ids`: of the objects whose writes are lost. */
export type ToSettle = { readonly ids: readonly string[]; readonly generation: number };

/** `counts`: how often in a row each of them was lost. */
type Attempts = {
  readonly counts: ReadonlyMap<string, number>;
  readonly last: Instant;
  readonly generation: number;
};

const spans = { first: millis(100), longest: seconds(10) };

/**
 * Spaces out the attempts to settle lost writes of a workload. An attempt changes pods, and the event of that change starts
 * the next reconcile without the back-off of its work queue.
 */
export class SettlePace {
  readonly #clock: Clock;
  readonly #attempts = new Map<string, Attempts>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins an attempt and returns 0, or returns how long it has to wait for one that was lost again and again. */
  begin(key: string, { ids, generation }: ToSettle): Millis {
    if (ids.length === 0) {
      this.forget(key);
      return millis(0);
    }
    const now = this.#clock.now();
    const known = this.#attempts.get(key);
    // A spec that its user has changed does not wait for the attempts before.
    const before = known?.generation === generation ? known : undefined;
    const counts = new Map(ids.map((id) => [id, before?.counts.get(id) ?? 0]));
    const due = (before?.last ?? now) + exponentialDelay(Math.max(...counts.values()), spans);
    // A clock that was set back does not prolong the wait.
    if (before !== undefined && now >= before.last && now < due) return millis(due - now);
    for (const [id, count] of counts) counts.set(id, count + 1);
    this.#attempts.set(key, { counts, last: now, generation });
    return millis(0);
  }

  /** How many attempts in a row there were for one write. */
  count(key: string): number {
    return Math.max(0, ...(this.#attempts.get(key)?.counts.values() ?? []));
  }

  forget(key: string): void {
    this.#attempts.delete(key);
  }
}
