import { objectAt } from '#base/json.ts';
import type { Hold } from './reasons.ts';
import type { Sight } from './sight.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { nameOf, stringMap } from '#kube/object.ts';

/** The longest value of a label. */
const longest = 63;

/** What is wrong with a workload although its schema accepts it: then no pod is made, removed or updated. */
export function specTrouble({ workload, updateRevision }: Sight): Hold | undefined {
  const selector = labelSelectorOf(objectAt(workload, 'spec', 'selector'));
  const labels = stringMap(objectAt(workload, 'spec', 'template', 'metadata', 'labels'));
  if (selector.length === 0 || !matchesLabels(selector, labels)) {
    const message = `spec.selector ${selector.length === 0 ? 'is empty' : 'does not match spec.template.metadata.labels'}: pods that it made would not be its own. Correct one of them.`;
    return { reason: 'InvalidSpec', message };
  }
  const revision = nameOf(updateRevision);
  if (revision.length <= longest) return undefined;
  return {
    reason: 'InvalidSpec',
    message: `The name ${nameOf(workload)} is too long: ${revision}, which becomes a label of its pods, would have more than ${longest} characters. Make it anew under a shorter name.`,
  };
}
