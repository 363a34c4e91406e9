import { later, millis, type Clock, type Instant, type Millis } from '#base/time.ts';

/** Limits how often a key is written; changes in between are written together. */
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
