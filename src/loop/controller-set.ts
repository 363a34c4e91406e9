import type { Controller } from './controller.ts';
import { createEventRecorder, type EventRecorder } from './event-recorder.ts';
import { shareInformers, type KeepsObject, type SharedInformers } from './shared-informers.ts';
import { rateLimitedReport } from './rate-limited-report.ts';
import type { LoopDeps } from './loop-deps.ts';

export type ControllerSetDeps = LoopDeps & {
  /** Shared informers; their creator runs them. */
  readonly informers?: SharedInformers | undefined;
  /** The only namespaces that the controllers use; undefined: all, and cluster-scoped objects. */
  readonly namespaces?: readonly string[] | undefined;
  /** Whether its informers keep an object; all are kept unless given. */
  readonly keeps?: KeepsObject | undefined;
  /** Whether informers ask for streams of objects instead of lists, where the server has them. */
  readonly streamsLists?: boolean | undefined;
};

/** What the controllers of a set share. */
export type ControllerSetParts = {
  readonly informers: SharedInformers;
  /** The events of one controller, such as `replicaset-controller`. */
  readonly recorder: (component: string) => EventRecorder;
};

export type ControllerSet = {
  /** Settles when every object that existed at the start was reconciled. */
  readonly synced: Promise<void>;
  /** Settles when nothing is queued or running and every event was sent. */
  idle(): Promise<void>;
  /** Stops all work and waits for what runs. */
  close(): Promise<void>;
};

/** Starts controllers that share informers and see the cluster through the client alone. */
export function startControllerSet(
  given: ControllerSetDeps,
  make: (parts: ControllerSetParts) => readonly Controller[],
): ControllerSet {
  const { client, clock, random, tasks, report, streamsLists } = given;
  const stop = new AbortController();
  const informers =
    given.informers ??
    shareInformers(
      { client, clock, random, report, streamsLists, keeps: given.keeps, dropManagedFields: true },
      given.namespaces,
    );
  const recorders = new Map<string, EventRecorder>();
  // When thousands of objects end at once, most of their events are dropped.
  const limited = rateLimitedReport(report, clock);
  const recorder = (component: string): EventRecorder => {
    const known =
      recorders.get(component) ??
      createEventRecorder({ client, clock, random, tasks, report: limited, component });
    recorders.set(component, known);
    return known;
  };
  const controllers = make({ informers, recorder });
  const running = given.informers === undefined ? informers.run(stop.signal) : Promise.resolve();
  return {
    synced: Promise.all(controllers.map((controller) => controller.idle())).then(() => undefined),
    async idle() {
      await Promise.all(controllers.map((controller) => controller.idle()));
      await Promise.all([...recorders.values()].map((each) => each.idle()));
    },
    async close() {
      await Promise.all(controllers.map((controller) => controller.close()));
      await Promise.all([...recorders.values()].map((each) => each.close()));
      stop.abort();
      await running.catch(() => undefined);
    },
  };
}
