import type { Instant } from '#base/time.ts';

export type LogLine = { readonly at: Instant; readonly text: string };

/** The last lines of a container. */
export class LogRing {
  readonly #most: number;
  #lines: LogLine[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(line: LogLine): void {
    this.#lines.push(line);
    // Cut in halves: moving everything for every line would cost too much.
    if (this.#lines.length >= 2 * this.#most) this.#lines = this.#lines.slice(-this.#most);
  }

  lines(): readonly LogLine[] {
    return this.#lines.length > this.#most ? this.#lines.slice(-this.#most) : this.#lines;
  }
}
