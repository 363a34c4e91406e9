import type { Random } from '#base/random.ts';
import { later, minutes, seconds, type Clock, type Instant } from '#base/time.ts';
import { backOff } from '#loop/back-off.ts';
import { TokenBucket } from '#loop/token-bucket.ts';
import { unlessAborted } from './unless-aborted.ts';

const mostFailures = 5;
const rests = { first: seconds(5), longest: minutes(1) };
/** Each who is turned away says so in a status and an event: thousands at once would hold up everybody else. */
const refusals = { perSecond: 40, burst: 10 };

export type Pass = { readonly type: 'go' } | { readonly type: 'rest'; readonly until: Instant };

/**
 * Spares a hook that is down: after so many failed calls in a row nobody calls it for a while, and then one does
 * while all others wait for what becomes of that.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #refusals: TokenBucket;
  #failures = 0;
  #restUntil: Instant | undefined;
  #probe: PromiseWithResolvers<void> | undefined;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#refusals = new TokenBucket(clock, refusals);
  }

  /** Settles when it is known whether a call may be made. Who goes must say how it went. */
  async pass(signal: AbortSignal): Promise<Pass> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#restUntil === undefined) return { type: 'go' };
      if (this.#clock.now() < this.#restUntil) return this.#turnAway(this.#restUntil, signal);
      if (this.#probe === undefined) {
        this.#probe = Promise.withResolvers();
        return { type: 'go' };
      }
      await unlessAborted(this.#probe.promise, signal);
    }
  }

  async #turnAway(until: Instant, signal: AbortSignal): Promise<Pass> {
    const wait = this.#refusals.reserve();
    if (wait > 0) await this.#clock.sleep(wait, signal);
    return { type: 'rest', until: later(until, wait) };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restUntil = undefined;
    this.#endProbe();
  }

  failed(): void {
    const isResting = this.#restUntil !== undefined && this.#clock.now() < this.#restUntil;
    // Calls that were on their way when the rest began say nothing new.
    if (isResting) return;
    this.#failures += 1;
    if (this.#failures >= mostFailures) {
      const rest = backOff(this.#failures - mostFailures + 1, this.#random.next(), rests);
      this.#restUntil = later(this.#clock.now(), rest);
    }
    this.#endProbe();
  }

  /** The caller gave up, which says nothing about the hook. */
  abandoned(): void {
    this.#endProbe();
  }

  #endProbe(): void {
    this.#probe?.resolve();
    this.#probe = undefined;
  }
}
