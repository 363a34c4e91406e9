import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import { millis, type Clock, type Millis } from '#base/time.ts';
import { Alarms } from './alarms.ts';
import { backOff } from '#base/back-off.ts';
import { Lanes } from './lanes.ts';
import { promisedTasks } from './promised-tasks.ts';
import { aboutError, type Report } from './report.ts';
import { TokenBucket, type Rate } from './token-bucket.ts';

/** The result of a reconciliation. A throw means: retry with back-off. */
export type Next = { readonly type: 'settled' } | { readonly type: 'wake'; readonly after: Millis };
export const settled: Next = { type: 'settled' };
export const wake = (after: Millis): Next => ({ type: 'wake', after });

export type QueueOptions = {
  /** Keys that run at a time. */
  readonly parallel: number;
  /** All retries together, but those of expected failures; each key also backs off by itself. */
  readonly retries?: Rate;
  /** Expected failures, such as conflicts: retried without a report. */
  readonly isExpected?: (error: unknown) => boolean;
};

export type WorkQueueDeps = QueueOptions & {
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks?: Tasks;
  readonly report?: Report;
  /** Nothing runs before `resume`. */
  readonly paused?: boolean;
  run(key: string, signal: AbortSignal): Promise<Next>;
};

export type AddOptions = {
  readonly after?: Millis | undefined;
  /** Higher values first. Default: 0. */
  readonly priority?: number | undefined;
};

const defaultRetries: Rate = { perSecond: 10, burst: 100 };

/**
 * Keys that wait to be reconciled. A key is queued once however often it is added, never runs twice at a time,
 * and runs again when it was added while it ran.
 */
export class WorkQueue {
  readonly #deps: WorkQueueDeps;
  readonly #stop = new AbortController();
  readonly #lanes = new Lanes();
  readonly #running = new Map<string, number>();
  readonly #again = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #alarms: Alarms;
  readonly #retries: TokenBucket;
  #paused: boolean;
  #pumping = false;
  #idle: (() => void)[] = [];

  constructor(deps: WorkQueueDeps) {
    this.#deps = deps;
    this.#paused = deps.paused ?? false;
    this.#retries = new TokenBucket(deps.clock, deps.retries ?? defaultRetries);
    this.#alarms = new Alarms(deps.clock, (key, priority) => this.add(key, { priority }));
  }

  /** Adds the key, now or after a while; the earliest time and the highest priority count. */
  add(key: string, { after = millis(0), priority = 0 }: AddOptions = {}): void {
    if (this.#stop.signal.aborted) return;
    if (after > 0 && !this.#lanes.has(key)) {
      this.#alarms.set(key, after, priority);
      return;
    }
    const wished = Math.max(priority, this.#alarms.cancel(key) ?? priority);
    if (this.#running.has(key)) {
      this.#again.set(key, Math.max(wished, this.#again.get(key) ?? wished));
      return;
    }
    this.#lanes.push(key, wished);
    this.#pumpSoon();
  }

  /** Keys that wait for their turn. */
  get depth(): number {
    return this.#lanes.size + this.#again.size;
  }

  /** Keys that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Lets a paused queue begin. */
  resume(): void {
    this.#paused = false;
    this.#pumpSoon();
  }

  /** Settles when nothing is queued and nothing runs; what waits for its time does not count. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Starts nothing more, stops what runs and waits for it. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#alarms.clear();
    this.#lanes.clear();
    this.#again.clear();
    const ended = this.idle();
    this.#tellIdle();
    await ended;
  }

  #isIdle(): boolean {
    return this.#lanes.size === 0 && this.#running.size === 0;
  }

  #tellIdle(): void {
    if (!this.#isIdle()) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }

  /** Other tasks run between two rounds, so that a long queue never blocks the server. */
  #pumpSoon(): void {
    if (this.#pumping || this.#paused) return;
    this.#pumping = true;
    (this.#deps.tasks ?? promisedTasks).soon(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#running.size < this.#deps.parallel) {
      const next = this.#lanes.take();
      if (next === undefined) return;
      this.#running.set(next.key, next.priority);
      void this.#runOnce(next.key, next.priority);
    }
  }

  async #runOnce(key: string, priority: number): Promise<void> {
    const { signal } = this.#stop;
    try {
      const next = await this.#deps.run(key, signal);
      this.#failures.delete(key);
      if (next.type === 'wake') this.#wakeAfter(key, next.after, priority);
    } catch (error) {
      if (!signal.aborted) this.#failed(key, error, priority);
    }
    this.#running.delete(key);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again !== undefined) this.add(key, { priority: again });
    if (this.#lanes.size > 0) this.#pumpSoon();
    this.#tellIdle();
  }

  #failed(key: string, error: unknown, priority: number): void {
    const { random, report, name, isExpected } = this.#deps;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    let after = backOff(failures, random.next());
    if (isExpected?.(error) !== true) {
      after = millis(Math.max(after, this.#retries.reserve()));
      const about = { controller: name, key, failures, ...aboutError(error) };
      report?.('a controller could not finish', about, 'warn');
    }
    this.#wakeAfter(key, after, priority);
  }

  #wakeAfter(key: string, after: Millis, priority: number): void {
    if (!this.#stop.signal.aborted) this.#alarms.set(key, after, priority);
  }
}
