import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { Cluster, ObjectChange } from './cluster.ts';
import type { Log } from './log.ts';

/** The world as a controller gets it. */
export type ControllerDeps = {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly log: Log;
};

/** A controller is shown everything once, then every change; it works on what it has queued by itself. */
export type Controller = {
  /** Looks at all there is and queues what needs a look. Called once, before the first change. */
  seed(): void;
  observe(change: ObjectChange): void;
  /** Settles when nothing is queued or running. */
  idle(): Promise<void>;
  close(): Promise<void>;
};
