/** A limit on how many tasks run at a time; the others wait in the order in which they came. */
export class Slots {
  readonly #most: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `start` with a slot, now or when one is free; never if the signal aborts before. `release` ends it. */
  whenFree(start: () => void, signal?: AbortSignal): void {
    if (this.#taken < this.#most) {
      this.#taken += 1;
      start();
      return;
    }
    const next = (): void => {
      signal?.removeEventListener('abort', leave);
      start();
    };
    const leave = (): void => void this.#waiting.delete(next);
    this.#waiting.add(next);
    signal?.addEventListener('abort', leave, { once: true });
  }

  release(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      next();
      return;
    }
    this.#taken -= 1;
  }
}
