import { seconds, type Clock } from '#base/time.ts';
import { reasonOf, type Report } from '#loop/report.ts';
import type { ClaimedStatus } from './claimed-status.ts';

const pause = seconds(1);

/** Writes the status of an object during an operation. Writes do not overlap: requests during one share the next. */
export class StatusWriter {
  readonly #deps: { readonly clock: Clock; readonly report: Report };
  readonly #status: ClaimedStatus;
  readonly #signal: AbortSignal;
  #waiting: PromiseWithResolvers<void> | undefined;
  #isWorking = false;

  constructor(
    deps: { readonly clock: Clock; readonly report: Report },
    status: ClaimedStatus,
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#status = status;
    this.#signal = signal;
  }

  get isLost(): boolean {
    return this.#status.isLost;
  }

  /** Settles when the server has the status as of the call. */
  flush(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>();
    const { promise } = this.#waiting;
    if (!this.#isWorking) void this.#work();
    return promise;
  }

  /** Writes the status soon. */
  touch(): void {
    void this.flush().catch(() => undefined);
  }

  /** Ends all writes: a task that is still running must not write during the next run. */
  close(): void {
    this.#status.close();
  }

  /** Writes the status if the object did not change since it was read; returns false otherwise. */
  claim(): Promise<boolean> {
    return this.#status.claim(this.#signal);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined;
      try {
        await this.#write();
        next.resolve();
      } catch (error) {
        next.reject(error);
      }
    }
    this.#isWorking = false;
  }

  async #write(): Promise<void> {
    for (;;) {
      if (this.isLost) throw new Error('another controller writes the object');
      const done = await this.#status.write(this.#signal).catch((error: unknown) => {
        if (this.#signal.aborted) throw error;
        const { name } = this.#status;
        this.#deps.report('a status could not be written', { object: name, why: reasonOf(error) }, 'warn');
        return 'later' as const;
      });
      if (done === 'done') return;
      if (done === 'later') await this.#deps.clock.sleep(pause, this.#signal);
    }
  }
}
