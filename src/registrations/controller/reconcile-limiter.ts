import { millis, type Clock, type Instant, type Millis } from '#base/time.ts';
import { steadyClock } from '#base/steady-clock.ts';

const perMinute = 30;
const between = 60_000 / perMinute;

/**
 * A token bucket for the reconciliations of one instance: after a burst one every two seconds. Stops a loop when
 * something changes the instance or its children after every reconciliation.
 */
export class ReconcileLimiter {
  readonly #clock: Clock;
  /** When the bucket was empty, calculated from the tokens that it holds. */
  #empty: Instant | undefined;
  #isTold = false;

  constructor(clock: Clock) {
    // A clock that is set back would hold all reconciliations until it has caught up.
    this.#clock = steadyClock(clock);
  }

  /** How long to wait before the next reconciliation; 0 takes a token. */
  take(children: number): Millis {
    const most = perMinute + 10 * children;
    const now = this.#clock.now();
    const full = now - most * between;
    const empty = Math.min(Math.max(this.#empty ?? full, full), now);
    const left = now - empty - between;
    if (left < 0) return millis(-left);
    this.#empty = (empty + between) as Instant;
    if (left > (most / 2) * between) this.#isTold = false;
    return millis(0);
  }

  /** True once, until the bucket is half full again. */
  shouldWarn(): boolean {
    const isNews = !this.#isTold;
    this.#isTold = true;
    return isNews;
  }
}
