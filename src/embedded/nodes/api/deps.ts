import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Informer } from '#loop/informer.ts';
import type { Report } from '#loop/report.ts';
import type { Settings } from '#embedded/nodes/tuning/script.ts';

/** What scheduler, kubelets and node controllers work with. */
export type NodesDeps = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks?: Tasks;
  readonly report?: Report;
  readonly settings: Settings;
  readonly pods: Informer;
  readonly nodes: Informer;
  readonly claims: Informer;
  readonly storageClasses: Informer;
  readonly namespaces: Informer;
};
