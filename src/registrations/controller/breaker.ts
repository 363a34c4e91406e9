import type { Random } from '#base/random.ts';
import { later, minutes, seconds, type Clock, type Instant } from '#base/time.ts';
import { backOff } from '#base/back-off.ts';
import { TokenBucket } from '#loop/token-bucket.ts';
import { unlessAborted } from './unless-aborted.ts';

const mostFailures = 5;
const rests = { first: seconds(5), longest: minutes(1) };
/** Each who is turned away says so in a status and an event: thousands at once would hold up everybody else. */
const refusals = { perSecond: 40, burst: 10 };
/** How often an instance for which no call has failed may try during a rest. */
const betweenTries = seconds(3);
/** How long those that failed leave the first try after a rest to others. */
const courtesy = seconds(2);

export type Pass = { readonly type: 'go' } | { readonly type: 'rest'; readonly until: Instant };

/**
 * Spares a hook that cannot be reached: after so many failed calls in a row it is not called for a while, and then one
 * instance tries while all others wait for what becomes of that. A few instances may be all that it fails for, so those
 * for which no call has failed may try during the rest, one every few seconds, and go first after it.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #refusals: TokenBucket;
  /** The instances for which calls failed since the last call that did not. */
  readonly #failed = new Set<string>();
  /** When others may try during the rest. */
  readonly #tries = new Map<string, Instant>();
  #nextTry: Instant | undefined;
  #failures = 0;
  #restUntil: Instant | undefined;
  #probe: (PromiseWithResolvers<void> & { readonly by: string }) | undefined;
  #lastProbe = '';

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#refusals = new TokenBucket(clock, refusals);
  }

  get isOpen(): boolean {
    return this.#restUntil !== undefined;
  }

  /** Settles when it is known whether a call for this instance may be made. Who goes must say how it went. */
  async pass(instance: string, signal: AbortSignal): Promise<Pass> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#restUntil === undefined) return { type: 'go' };
      const from = this.#mayTryFrom(instance, this.#restUntil);
      if (this.#clock.now() < from) return this.#turnAway(from, signal);
      if (this.#probe === undefined) {
        this.#tries.delete(instance);
        this.#lastProbe = instance;
        this.#probe = { ...Promise.withResolvers<void>(), by: instance };
        return { type: 'go' };
      }
      await unlessAborted(this.#probe.promise, signal);
    }
  }

  #mayTryFrom(instance: string, restUntil: Instant): Instant {
    const now = this.#clock.now();
    if (this.#failed.has(instance)) {
      const areOthersWaiting =
        this.#tries.size > 0 || (this.#lastProbe === instance && this.#failed.size > 1);
      return areOthersWaiting ? later(restUntil, courtesy) : restUntil;
    }
    if (now >= restUntil) return now;
    let at = this.#tries.get(instance);
    if (at === undefined) {
      at = this.#nextTry === undefined || this.#nextTry < now ? now : this.#nextTry;
      this.#nextTry = later(at, betweenTries);
      this.#tries.set(instance, at);
    }
    return at < restUntil ? at : restUntil;
  }

  async #turnAway(until: Instant, signal: AbortSignal): Promise<Pass> {
    const wait = this.#refusals.reserve();
    if (wait > 0) await this.#clock.sleep(wait, signal);
    return { type: 'rest', until: later(until, wait) };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restUntil = undefined;
    this.#nextTry = undefined;
    this.#failed.clear();
    this.#tries.clear();
    this.#endProbe();
  }

  failed(instance: string): void {
    this.#failed.add(instance);
    const isResting = this.#restUntil !== undefined && this.#clock.now() < this.#restUntil;
    // Calls that were on their way when the rest began, and tries during it, say nothing new.
    if (!isResting) this.#count();
    if (!isResting || this.#probe?.by === instance) this.#endProbe();
  }

  #count(): void {
    this.#failures += 1;
    if (this.#failures < mostFailures) return;
    const rest = backOff(this.#failures - mostFailures + 1, this.#random.next(), rests);
    this.#restUntil = later(this.#clock.now(), rest);
  }

  /** The caller gave up, which says nothing about the hook. */
  abandoned(instance: string): void {
    if (this.#probe?.by === instance) this.#endProbe();
  }

  #endProbe(): void {
    this.#probe?.resolve();
    this.#probe = undefined;
  }
}
