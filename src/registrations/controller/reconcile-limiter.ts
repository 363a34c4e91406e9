import { millis, type Clock, type Instant, type Millis } from '#base/time.ts';

const perMinute = 30;
const between = 60_000 / perMinute;

/**
 * So many reconciliations of one instance in a row, and then one every two seconds: something changes the instance
 * or its children as often as we do.
 */
export class ReconcileLimiter {
  readonly #clock: Clock;
  /** When the bucket was last empty, counted back from the tokens it holds. */
  #empty: Instant | undefined;
  #isTold = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long to wait before the next reconciliation; 0: it may begin, and is counted. */
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

  /** Whether to say that it brakes: once, until it has been calm for a while. */
  shouldWarn(): boolean {
    const isNews = !this.#isTold;
    this.#isTold = true;
    return isNews;
  }
}
