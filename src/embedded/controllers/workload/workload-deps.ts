import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Report } from '#loop/report.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import { PodsRefused } from '#loop/owned/pod-writer.ts';
import { isStale } from '#loop/owned/write.ts';

/** The world as the controllers of workloads get it. */
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

/** What every one of these controllers hands to its loop. */
export const loopParts = ({ clock, random, tasks, report }: WorkloadDeps, parallel = 8) =>
  ({ clock, random, tasks, report, queue: { parallel, isExpected } }) as const;

/** Neither is news: the one is seen again at once, the other was told already. */
const isExpected = (error: unknown): boolean => isStale(error) || error instanceof PodsRefused;
