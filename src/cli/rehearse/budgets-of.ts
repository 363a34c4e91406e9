import { at, objectAt } from '#base/json.ts';
import { kindOf, labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import { selects } from '#releases/controller/disruptions.ts';
import type { RehearsedBudget } from '#rehearse/rehearsal-report.ts';

/** The PodDisruptionBudgets of a workload and how many of so many pods each of them wants in service. */
export const budgetsOf = (
  objects: readonly KubeObject[],
  workload: KubeObject,
  replicas: number,
): readonly RehearsedBudget[] =>
  objects
    .filter(
      (object) =>
        kindOf(object) === 'PodDisruptionBudget' &&
        namespaceOf(object) === namespaceOf(workload) &&
        selects(object, labelsOf(objectAt(workload, 'spec', 'template') ?? {})),
    )
    .map((object) => ({ name: nameOf(object), wanted: wantedOf(object, replicas), pods: replicas }));

/** Percentages are rounded up, as Kubernetes does. */
function wantedOf(budget: KubeObject, replicas: number): number {
  const least = at(budget, 'spec', 'minAvailable');
  if (least !== undefined) return scaledValue(least, replicas, 'up');
  return Math.max(0, replicas - scaledValue(at(budget, 'spec', 'maxUnavailable'), replicas, 'up'));
}
