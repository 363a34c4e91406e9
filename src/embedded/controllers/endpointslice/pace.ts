import { later, millis, type Clock, type Instant, type Millis } from '#base/time.ts';

/** Lets a key do its work so often and no more; what comes in between is done together. */
export class Pace {
  readonly #clock: Clock;
  readonly #span: Millis;
  readonly #next = new Map<string, Instant>();

  constructor(clock: Clock, span: Millis) {
    this.#clock = clock;
    this.#span = span;
  }

  /** How long the key has to wait; 0 when it may work now. */
  wait(key: string): Millis {
    return millis(Math.max(0, (this.#next.get(key) ?? 0) - this.#clock.now()));
  }

  /** The key has worked. */
  worked(key: string): void {
    this.#next.set(key, later(this.#clock.now(), this.#span));
  }

  forget(key: string): void {
    this.#next.delete(key);
  }
}
