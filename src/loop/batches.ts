import { later, millis, type Clock, type Millis } from '#base/time.ts';

/**
 * Batches calls that are not urgent: the first runs at once, those that follow soon after it run together
 * at the end of a short span. Writes that reach a server together share the cost of making them durable.
 */
export class Batches {
  readonly #clock: Clock;
  readonly #span: Millis;
  #line: (() => void)[] = [];
  #next = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, span: Millis) {
    this.#clock = clock;
    this.#span = span;
  }

  add(go: () => void): void {
    this.#line.push(go);
    if (this.#cancel !== undefined) return;
    // The clock may have been set back: nobody waits until it has caught up.
    const wait = Math.min(this.#next - this.#clock.now(), this.#span);
    if (wait <= 0) this.#flush();
    else this.#cancel = this.#clock.after(millis(wait), () => this.#flush());
  }

  /** What waits is dropped. */
  close(): void {
    this.#cancel?.();
    this.#line = [];
  }

  #flush(): void {
    const line = this.#line;
    this.#line = [];
    this.#cancel = undefined;
    this.#next = later(this.#clock.now(), this.#span);
    for (const go of line) go();
  }
}
