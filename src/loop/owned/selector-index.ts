import { labelSelectorOf, matchesLabels, SelectorError, type LabelSelector } from '#kube/label-selector.ts';
import { labelsOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Informer } from '#loop/informer.ts';

const selectors = new WeakMap<KubeObject, LabelSelector>();

/** The selector of a workload's spec. */
export function selectorOf(workload: KubeObject): LabelSelector {
  const known = selectors.get(workload);
  if (known !== undefined) return known;
  const spec = workload['spec'] as KubeObject | undefined;
  const selector = labelSelectorOf(spec?.['selector']);
  selectors.set(workload, selector);
  return selector;
}

/** Finds workloads by a label that their selector requires, so that an object is not compared with all workloads. */
export const selectorIndexes = {
  selector: (workload: KubeObject): readonly string[] => {
    const selector = usableSelector(workload);
    if (selector.length === 0) return [];
    const namespace = namespaceOf(workload);
    const required = selector.find((each) => each.type === 'in');
    if (required?.type !== 'in') return [namespace];
    return [...required.values].map((value) => indexValue(namespace, required.key, value));
  },
};

/** Empty for one that cannot be read: the reconciliation of the workload reports it. */
function usableSelector(workload: KubeObject): LabelSelector {
  try {
    return selectorOf(workload);
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}

const indexValue = (namespace: string, key: string, value: string): string => `${namespace} ${key} ${value}`;

/** The workloads of the object's namespace whose selectors match its labels. An empty selector matches nothing. */
export function selecting(workloads: Pick<Informer, 'byIndex'>, object: KubeObject): readonly KubeObject[] {
  const labels = labelsOf(object);
  const namespace = namespaceOf(object);
  const values = Object.entries(labels).map(([key, value]) => indexValue(namespace, key, value));
  return [namespace, ...values]
    .flatMap((value) => workloads.byIndex('selector', value))
    .filter((workload) => matchesLabels(selectorOf(workload), labels));
}
