import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import { later, millis, type Clock, type Instant, type Millis } from '#base/time.ts';
import { backOff } from './back-off.ts';
import { isConflict } from './refused.ts';
import type { Log } from './log.ts';

/** What a run leaves behind. A throw means: back off and try again. */
export type Next = { readonly type: 'settled' } | { readonly type: 'wake'; readonly after: Millis };
export const settled: Next = { type: 'settled' };
export const wake = (after: Millis): Next => ({ type: 'wake', after });

export type WorkQueueDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly log: Log;
  readonly name: string;
  readonly parallel: number;
  run(key: string, signal: AbortSignal): Promise<Next>;
};

type Timer = { readonly at: Instant; readonly cancel: () => void };

/**
 * Keys waiting to be looked at. A key is queued once however often it is added, never runs twice at a time,
 * and runs again when it was added while it ran.
 */
export class WorkQueue {
  readonly #deps: WorkQueueDeps;
  readonly #stop = new AbortController();
  readonly #queued = new Set<string>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, Timer>();
  /** First in, first out: a Set alone would walk over its deleted entries. */
  #line: string[] = [];
  #head = 0;
  #pumping = false;
  #idle: (() => void)[] = [];

  constructor(deps: WorkQueueDeps) {
    this.#deps = deps;
  }

  add(key: string): void {
    if (this.#stop.signal.aborted || this.#queued.has(key)) return;
    this.#dropTimer(key);
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#queued.add(key);
    this.#line.push(key);
    this.#pumpSoon();
  }

  /** Adds the key after a while; the earliest wish counts. */
  addAfter(key: string, after: Millis): void {
    if (this.#stop.signal.aborted || this.#queued.has(key)) return;
    const at = later(this.#deps.clock.now(), after);
    const timer = this.#timers.get(key);
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    const cancel = this.#deps.clock.after(millis(Math.ceil(after)), () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { at, cancel });
  }

  /** Settles when nothing is queued and nothing runs; what waits for its time does not count. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#queued.clear();
    this.#line = [];
    this.#head = 0;
    const ended = this.idle();
    this.#tellIdle();
    await ended;
  }

  #isIdle(): boolean {
    return this.#queued.size === 0 && this.#running.size === 0;
  }

  #tellIdle(): void {
    if (!this.#isIdle()) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }

  #dropTimer(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  /** Others get their turn between two rounds, so a long queue never holds up the server. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    this.#deps.tasks.soon(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#running.size < this.#deps.parallel) {
      const key = this.#next();
      if (key === undefined) return;
      this.#running.add(key);
      void this.#runOnce(key);
    }
  }

  #next(): string | undefined {
    const key = this.#line[this.#head];
    if (key === undefined) {
      this.#line = [];
      this.#head = 0;
      return undefined;
    }
    this.#head += 1;
    this.#queued.delete(key);
    return key;
  }

  async #runOnce(key: string): Promise<void> {
    const { signal } = this.#stop;
    try {
      const next = await this.#deps.run(key, signal);
      this.#failures.delete(key);
      if (next.type === 'wake') this.addAfter(key, next.after);
    } catch (error) {
      if (!signal.aborted) this.#failed(key, error);
    }
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
    if (this.#queued.size > 0) this.#pumpSoon();
    this.#tellIdle();
  }

  #failed(key: string, error: unknown): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const after = backOff(failures, this.#deps.random.next());
    if (!isConflict(error)) {
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log('a controller could not finish', { controller: this.#deps.name, key, failures, why });
    }
    this.addAfter(key, after);
  }
}
