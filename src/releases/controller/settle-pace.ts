import { exponentialDelay } from '#base/back-off.ts';
import { millis, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';

type Attempts = { readonly count: number; readonly last: Instant };

const spans = { first: millis(100), longest: seconds(30) };

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

  /** Begins an attempt and returns 0, or returns how long the next one has to wait. */
  begin(key: string): Millis {
    const now = this.#clock.now();
    const { count, last } = this.#attempts.get(key) ?? { count: 0, last: now };
    const due = last + exponentialDelay(count, spans);
    // A clock that was set back does not prolong the wait.
    if (now >= last && now < due) return millis(due - now);
    this.#attempts.set(key, { count: count + 1, last: now });
    return millis(0);
  }

  /** Nothing is left to settle: the next attempt is a first one. */
  done(key: string): void {
    this.#attempts.delete(key);
  }
}
