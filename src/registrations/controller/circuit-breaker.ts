import type { Random } from '#base/random.ts';
import { later, minutes, seconds, type Clock, type Instant } from '#base/time.ts';
import { backOff } from '#base/back-off.ts';
import { TokenBucket } from '#loop/token-bucket.ts';
import { unlessAborted } from './unless-aborted.ts';

const maxFailures = 5;
const openSpans = { first: seconds(5), longest: minutes(1) };
/** Each who is turned away says so in a status and an event: thousands at once would hold up everybody else. */
const rejections = { perSecond: 40, burst: 10 };
/** How often an instance for which no call has failed may try during a rest. */
const probeInterval = seconds(3);
/** How long those that failed leave the first try after a rest to others. */
const retryDelayForFailed = seconds(2);

export type Pass = { readonly type: 'go' } | { readonly type: 'rest'; readonly until: Instant };

/**
 * Spares a hook that cannot be reached: after so many failed calls in a row it is not called for a while, and then one
 * instance tries while all others wait for what becomes of that. A few instances may be all that it fails for, so those
 * for which no call has failed may try during the rest, one every few seconds, and go first after it.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #rejections: TokenBucket;
  /** The instances for which calls failed since the last call that did not. */
  readonly #failed = new Set<string>();
  /** When others may try during the rest. */
  readonly #probeTimes = new Map<string, Instant>();
  #nextProbe: Instant | undefined;
  #failures = 0;
  #openUntil: Instant | undefined;
  #probe: (PromiseWithResolvers<void> & { readonly by: string }) | undefined;
  #lastProbe = '';

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#rejections = new TokenBucket(clock, rejections);
  }

  get isOpen(): boolean {
    return this.#openUntil !== undefined;
  }

  /** Settles when it is known whether a call for this instance may be made. Who goes must say how it went. */
  async pass(instance: string, signal: AbortSignal): Promise<Pass> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#openUntil === undefined) return { type: 'go' };
      const from = this.#mayProbeFrom(instance, this.#openUntil);
      if (this.#clock.now() < from) return this.#reject(from, signal);
      if (this.#probe === undefined) {
        this.#probeTimes.delete(instance);
        this.#lastProbe = instance;
        this.#probe = { ...Promise.withResolvers<void>(), by: instance };
        return { type: 'go' };
      }
      await unlessAborted(this.#probe.promise, signal);
    }
  }

  #mayProbeFrom(instance: string, openUntil: Instant): Instant {
    const now = this.#clock.now();
    if (this.#failed.has(instance)) {
      const areOthersWaiting =
        this.#probeTimes.size > 0 || (this.#lastProbe === instance && this.#failed.size > 1);
      return areOthersWaiting ? later(openUntil, retryDelayForFailed) : openUntil;
    }
    if (now >= openUntil) return now;
    let at = this.#probeTimes.get(instance);
    if (at === undefined) {
      at = this.#nextProbe === undefined || this.#nextProbe < now ? now : this.#nextProbe;
      this.#nextProbe = later(at, probeInterval);
      this.#probeTimes.set(instance, at);
    }
    return at < openUntil ? at : openUntil;
  }

  async #reject(until: Instant, signal: AbortSignal): Promise<Pass> {
    const wait = this.#rejections.reserve();
    if (wait > 0) await this.#clock.sleep(wait, signal);
    return { type: 'rest', until: later(until, wait) };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#nextProbe = undefined;
    this.#failed.clear();
    this.#probeTimes.clear();
    this.#endProbe();
  }

  failed(instance: string): void {
    this.#failed.add(instance);
    const isStillOpen = this.#openUntil !== undefined && this.#clock.now() < this.#openUntil;
    // Calls that were on their way when the rest began, and tries during it, say nothing new.
    if (!isStillOpen) this.#count();
    if (!isStillOpen || this.#probe?.by === instance) this.#endProbe();
  }

  #count(): void {
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    const rest = backOff(this.#failures - maxFailures + 1, this.#random.next(), openSpans);
    this.#openUntil = later(this.#clock.now(), rest);
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
