/** So many at a time; whoever comes later waits in line. */
export class Slots {
  readonly #most: number;
  #taken = 0;
  readonly #line = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `go` with a slot, now or when one is free, and never when the signal aborts before. `giveBack` ends it. */
  whenFree(go: () => void, signal?: AbortSignal): void {
    if (this.#taken < this.#most) {
      this.#taken += 1;
      go();
      return;
    }
    const turn = (): void => {
      signal?.removeEventListener('abort', leave);
      go();
    };
    const leave = (): void => void this.#line.delete(turn);
    this.#line.add(turn);
    signal?.addEventListener('abort', leave, { once: true });
  }

  giveBack(): void {
    for (const next of this.#line) {
      this.#line.delete(next);
      next();
      return;
    }
    this.#taken -= 1;
  }
}
