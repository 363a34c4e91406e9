import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Report } from '#loop/report.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import { PodsRefused } from '#loop/owned/pod-writer.ts';
import { isStale } from '#loop/owned/write.ts';

/** The dependencies of the built-in controllers. */
export type WorkloadDeps = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly report: Report;
  readonly informers: SharedInformers;
  /** The events of one controller, such as `replicaset-controller`. */
  readonly recorder: (component: string) => EventRecorder;
};

/** What every built-in controller passes to `runController`. */
export const loopParts = ({ clock, random, tasks, report }: WorkloadDeps, parallel = 8) =>
  ({ clock, random, tasks, report, queue: { parallel, isExpected } }) as const;

/** Expected: a conflict is retried at once, and refused pods are in an event already. */
const isExpected = (error: unknown): boolean => isStale(error) || error instanceof PodsRefused;
