import { instant, later, millis, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';

/** What a pace has done so far, for the metrics. */
export type PaceFigures = {
  /** Responses with which the server put a request off. */
  readonly throttled: number;
  /** Time that requests have waited, in seconds. */
  readonly waited: number;
  /** Requests per second that may be sent at present; undefined: as many as wanted. */
  readonly rate: number | undefined;
};

/** The rate is never less than this: the server may put off every request, and is then obeyed each time. */
const least = 10;
/** A refusal lowers the rate to this share of what was sent; one that follows soon, to half of that. */
const share = 0.7;
const soon = seconds(5);
/** The rate grows by this factor per second without a refusal. */
const growth = 1.1;
/** Beyond this many requests per second there is no limit any more. */
const enough = 1000;
/** What is refused in this time after a refusal was sent before it, and says nothing new. */
const settling = seconds(1);

/**
 * How fast requests are sent: without a limit, until the server refuses one with 429. Then all of them wait as long
 * as it asks for, and go on at a part of the rate at which they were sent, which grows again from there.
 */
export class RequestPace {
  readonly #clock: Clock;
  /** The rate right after the last refusal, and when that was. */
  #slowed: { readonly rate: number; readonly at: Instant } | undefined;
  /** When the next request may be sent. */
  #next: Instant;
  /** Requests of the present second, and of the one before it. */
  #second: Instant;
  #sent = 0;
  #sentBefore = 0;
  #throttled = 0;
  #waited = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#next = this.#now();
    this.#second = this.#now();
  }

  get figures(): PaceFigures {
    return { throttled: this.#throttled, waited: this.#waited, rate: this.#rate(this.#now()) };
  }

  /** Waits until a request may be sent. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#now();
    this.#count(now);
    const rate = this.#rate(now);
    if (rate === undefined) return;
    const at = instant(Math.max(now, this.#next));
    this.#next = later(at, millis(1000 / rate));
    await this.#wait(millis(at - now), signal);
  }

  /** The server put a request off. Waits until the same request may be sent again. */
  async refused(after: Millis, signal: AbortSignal): Promise<void> {
    this.slowDown(after);
    await this.#wait(after, signal);
    await this.turn(signal);
  }

  /** The server refused a request: all others wait for this long, and are sent more slowly. */
  slowDown(after: Millis): void {
    this.#throttled += 1;
    const now = this.#now();
    const since = this.#slowed === undefined ? Infinity : now - this.#slowed.at;
    if (since < settling) return;
    const reached = Math.min(this.#rate(now) ?? Infinity, Math.max(this.#sent, this.#sentBefore));
    const at = later(now, after);
    this.#slowed = { rate: Math.max(least, reached * (since < soon ? share / 2 : share)), at };
    this.#next = instant(Math.max(this.#next, at));
  }

  #rate(now: Instant): number | undefined {
    if (this.#slowed === undefined) return undefined;
    const { rate, at } = this.#slowed;
    const grown = rate * growth ** Math.max(0, (now - at) / 1000);
    if (grown < enough) return grown;
    this.#slowed = undefined;
    return undefined;
  }

  /** Not the time of day, which may be set. */
  #now(): Instant {
    return instant(this.#clock.steady?.() ?? this.#clock.now());
  }

  #count(now: Instant): void {
    const passed = now - this.#second;
    if (passed >= 1000 || passed < 0) {
      this.#sentBefore = passed < 2000 ? this.#sent : 0;
      this.#sent = 0;
      this.#second = now;
    }
    this.#sent += 1;
  }

  async #wait(span: Millis, signal: AbortSignal): Promise<void> {
    if (span <= 0) return;
    this.#waited += span / 1000;
    await this.#clock.sleep(span, signal);
  }
}
