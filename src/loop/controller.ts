import type { Metrics } from '#base/metrics.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { WithMetadata } from '#kube/object.ts';
import type { Delta } from './delta.ts';
import type { Informer } from './informer.ts';
import { measuredReconcile, measureQueue } from './reconcile-metrics.ts';
import type { Report } from './report.ts';
import { WorkQueue, type AddOptions, type Next, type QueueOptions } from './work-queue.ts';

/** An informer that a controller subscribes to, and the keys that each of its changes concerns. */
export type Source = {
  readonly informer: Informer;
  keysOf(delta: Delta): Iterable<string>;
  /** The priority of the keys of a change; 0 unless given. */
  readonly priorityOf?: (delta: Delta) => number;
  /** Adds keys that no change of an object concerns. */
  readonly follow?: (add: (key: string) => void) => () => void;
};

/** Anything else that adds keys. */
export type KeySource = {
  readonly synced: Promise<void>;
  subscribe(add: (key: string, options?: AddOptions) => void): () => void;
};

/** The same as a `Source`, of an informer that decodes its objects. */
export const sourceOf = <Decoded extends WithMetadata>(
  informer: Informer<Decoded>,
  keysOf: (delta: Delta<Decoded>) => Iterable<string>,
  priorityOf?: (delta: Delta<Decoded>) => number,
): KeySource => ({
  synced: informer.synced,
  subscribe: (add) =>
    informer.subscribe((delta) => {
      const options = priorityOf === undefined ? undefined : { priority: priorityOf(delta) };
      for (const key of keysOf(delta)) add(key, options);
    }),
});

const keySourceOf = (source: Source | KeySource): KeySource => {
  if (!('informer' in source)) return source;
  const { informer, priorityOf, follow } = source;
  const changes = sourceOf(informer, (delta) => source.keysOf(delta), priorityOf);
  if (follow === undefined) return changes;
  return {
    ...changes,
    subscribe(add) {
      const ends = [changes.subscribe(add), follow(add)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
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
  readonly sources: readonly (Source | KeySource)[];
  /** Whether it reconciles a key; all keys unless given. */
  readonly owns?: ((key: string) => boolean) | undefined;
  /** Informers that are only read: they too must be synced before the first run. */
  readonly informers?: readonly Pick<Informer, 'synced'>[];
  reconcile(key: string, signal: AbortSignal): Promise<Next>;
};

export type Controller = {
  /** Resolves when all informers are synced and the first keys run. */
  readonly started: Promise<void>;
  add(key: string, options?: AddOptions): void;
  /** Settles when nothing is queued or running, once started. */
  idle(): Promise<void>;
  /** Stops all work and waits for what runs. */
  close(): Promise<void>;
};

/**
 * Calls the reconcile function with keys: level-triggered, and never before the caches are synced. Whoever made the
 * informers runs them.
 */
export function runController(deps: ControllerDeps): Controller {
  const { name, clock, random, tasks, report, owns = () => true } = deps;
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
  const sources = deps.sources.map(keySourceOf);
  const add: Controller['add'] = (key, options) => {
    if (owns(key)) queue.add(key, options);
  };
  const unsubscribes = sources.map((source) => source.subscribe(add));
  if (deps.metrics !== undefined) unsubscribes.push(measureQueue(queue, { metrics: deps.metrics, name }));
  const needed = [...sources, ...(deps.informers ?? [])];
  const started = Promise.all(needed.map(({ synced }) => synced)).then(() => queue.resume());
  return {
    started,
    add,
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
