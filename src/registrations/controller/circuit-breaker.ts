import type { Random } from '#base/random.ts';
import { later, millis, minutes, seconds, type Clock, type Instant } from '#base/time.ts';
import { backOff } from '#base/back-off.ts';
import { TokenBucket } from '#loop/token-bucket.ts';
import { steadyClock } from '#base/steady-clock.ts';
import { unlessAborted } from '#base/unless-aborted.ts';

const maxFailures = 5;
const openSpans = { first: seconds(5), longest: minutes(1) };
/** Each rejection writes a status and an event: thousands at once would delay all other instances. */
const rejections = { perSecond: 40, burst: 10 };
/** The interval at which an instance without failed calls may probe while the breaker is open. */
const probeInterval = seconds(3);
/** How long an instance with failed calls leaves the first probe to others. */
const retryDelayForFailed = seconds(2);

export type Pass = { readonly type: 'go' } | { readonly type: 'rest'; readonly until: Instant };

/**
 * A circuit breaker for a hook that cannot be reached. It opens after a number of failed calls in a row. When the open
 * time is over, one instance probes and the others wait for its result. The hook may fail for a few instances only:
 * instances without failed calls may probe while the breaker is open, one every few seconds, and probe first after it.
 */
export class CircuitBreaker {
  /** Its times are not those of the calendar. */
  readonly #clock: Clock;
  readonly #wall: Clock;
  readonly #random: Random;
  readonly #rejections: TokenBucket;
  /** The instances with failed calls since the last successful call. */
  readonly #failed = new Set<string>();
  /** When each instance without failed calls may probe. */
  readonly #probeTimes = new Map<string, Instant>();
  #nextProbe: Instant | undefined;
  #failures = 0;
  #openUntil: Instant | undefined;
  #probe: (PromiseWithResolvers<void> & { readonly by: string }) | undefined;
  #lastProbe = '';

  constructor(clock: Clock, random: Random) {
    // A clock that is set back would keep it open until it has caught up.
    this.#clock = steadyClock(clock);
    this.#wall = clock;
    this.#random = random;
    this.#rejections = new TokenBucket(this.#clock, rejections);
  }

  get isOpen(): boolean {
    return this.#openUntil !== undefined;
  }

  /** Whether a call for this instance may be made. After `go` the caller must report succeeded, failed or abandoned. */
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
    const left = millis(Math.max(0, until - this.#clock.now()));
    return { type: 'rest', until: later(this.#wall.now(), millis(left + wait)) };
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
    // Calls that started before the breaker opened, and probes while it is open, do not prolong it.
    if (!isStillOpen) this.#count();
    if (!isStillOpen || this.#probe?.by === instance) this.#endProbe();
  }

  #count(): void {
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    const rest = backOff(this.#failures - maxFailures + 1, this.#random.next(), openSpans);
    this.#openUntil = later(this.#clock.now(), rest);
  }

  /** The caller aborted the call: no result. */
  abandoned(instance: string): void {
    if (this.#probe?.by === instance) this.#endProbe();
  }

  #endProbe(): void {
    this.#probe?.resolve();
    this.#probe = undefined;
  }
}
