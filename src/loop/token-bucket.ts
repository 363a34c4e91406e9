import { millis, type Clock, type Instant, type Millis } from '#base/time.ts';

export type Rate = { readonly perSecond: number; readonly burst: number };

/** A rate limit: a burst, and then so many per second. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #tokens: number;
  #seen: Instant;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#seen = clock.now();
  }

  /** Takes a token if one is there. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes a token, if need be a future one. Returns the time until it is available. */
  reserve(): Millis {
    this.#refill();
    this.#tokens -= 1;
    return millis(this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate.perSecond) * 1000);
  }

  #refill(): void {
    const now = this.#clock.now();
    const gained = (Math.max(0, now - this.#seen) / 1000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#seen = now;
  }
}
