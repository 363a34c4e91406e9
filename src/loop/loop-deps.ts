import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Report } from './report.ts';

/** What a controller runs on. */
export type LoopDeps = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly report: Report;
};
