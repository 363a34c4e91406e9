import { at, numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import { kindOf, type KubeObject } from '#kube/object.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';

export const replicasOf = (workload: KubeObject): number => numberAt(workload, 'spec', 'replicas') ?? 1;

/** How many pods may be out of service, rounded as the controllers round it: down where pods can surge. */
export function maxUnavailableOf(workload: KubeObject): number {
  const replicas = replicasOf(workload);
  const strategy = objectAt(workload, 'spec', 'updateStrategy');
  const given = (name: string): Json | undefined => at(strategy, name) ?? at(strategy, 'rollingUpdate', name);
  const isOrdered =
    kindOf(workload) === 'GameStatefulSet' && textAt(workload, 'spec', 'podManagementPolicy') !== 'Parallel';
  const surge = isOrdered ? 0 : scaledValue(given('maxSurge'), replicas, 'up');
  return scaledValue(given('maxUnavailable') ?? '25%', replicas, surge > 0 ? 'down' : 'up');
}
