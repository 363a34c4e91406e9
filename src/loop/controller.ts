import type { Metrics } from '#base/metrics.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { Delta } from './delta.ts';
import type { Informer } from './informer.ts';
import { measuredReconcile } from './reconcile-figures.ts';
import type { Report } from './report.ts';
import { WorkQueue, type AddOptions, type Next, type QueueOptions } from './work-queue.ts';

/** An informer a controller listens to, and the keys that each of its changes concerns. */
export type Source = {
  readonly informer: Informer;
  keysOf(delta: Delta): Iterable<string>;
  /** The priority of these keys; 0 unless given. */
  readonly priority?: number;
};

export type ControllerDeps = {
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks?: Tasks;
  readonly report?: Report;
  /** Where its runs are counted. */
  readonly metrics?: Metrics | undefined;
  /** One key at a time unless given. */
  readonly queue?: Partial<QueueOptions>;
  readonly sources: readonly Source[];
  /** Informers that are only read: they too must be synced before the first run. */
  readonly informers?: readonly Pick<Informer, 'synced'>[];
  reconcile(key: string, signal: AbortSignal): Promise<Next>;
};

export type Controller = {
  /** Resolves when all informers know everything and the first keys may run. */
  readonly started: Promise<void>;
  add(key: string, options?: AddOptions): void;
  /** Settles when nothing is queued or running, once started. */
  idle(): Promise<void>;
  /** Stops all work and waits for what runs. */
  close(): Promise<void>;
};

/**
 * Brings keys to their reconcile function: level-triggered, never on a half-filled cache. Whoever made the
 * informers runs them.
 */
export function runController(deps: ControllerDeps): Controller {
  const { name, clock, random, tasks, report, sources } = deps;
  const queue = new WorkQueue({
    parallel: 1,
    ...deps.queue,
    name,
    clock,
    random,
    ...(tasks && { tasks }),
    ...(report && { report }),
    paused: true,
    run: measured(deps),
  });
  const unsubscribes = sources.map((source) =>
    source.informer.subscribe((delta) => {
      for (const key of source.keysOf(delta)) queue.add(key, { priority: source.priority });
    }),
  );
  const needed = [...sources.map(({ informer }) => informer), ...(deps.informers ?? [])];
  const started = Promise.all(needed.map(({ synced }) => synced)).then(() => queue.resume());
  return {
    started,
    add: (key, options) => queue.add(key, options),
    idle: () => started.then(() => queue.idle()),
    async close() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      await queue.close();
    },
  };
}

function measured(deps: ControllerDeps): ControllerDeps['reconcile'] {
  const { metrics, name, clock } = deps;
  const plain: ControllerDeps['reconcile'] = (key, signal) => deps.reconcile(key, signal);
  return metrics === undefined ? plain : measuredReconcile(plain, { metrics, name, clock });
}
