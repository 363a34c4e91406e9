import { objectAt } from '#base/json.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import type { WorkloadSnapshot } from './snapshot.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { stringMap } from '#kube/object.ts';

/** A problem that the schema cannot detect. While it exists no pod is created, deleted or updated. */
export function specProblem({ workload }: Pick<WorkloadSnapshot, 'workload'>): Blocker | undefined {
  const selector = labelSelectorOf(objectAt(workload, 'spec', 'selector'));
  const labels = stringMap(objectAt(workload, 'spec', 'template', 'metadata', 'labels'));
  if (selector.length === 0 || !matchesLabels(selector, labels)) {
    const message = `spec.selector ${selector.length === 0 ? 'is empty' : 'does not match spec.template.metadata.labels'}: pods that it made would not be its own. Correct one of them.`;
    return { reason: 'InvalidSpec', message };
  }
  return undefined;
}
