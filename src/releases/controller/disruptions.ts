import { numberAt, objectAt } from '#base/json.ts';
import type { DisruptionBudget } from '#releases/decide/disruption-budgets.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import type { Informer } from '#loop/informer.ts';
import { labelSelectorOf, matchesLabels, SelectorError } from '#kube/label-selector.ts';
import { labelsOf, nameOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** What PodDisruptionBudgets still allow, less the pods disrupted since their status was written. */
export class Disruptions {
  readonly budgets: Informer;
  /** Workloads that a budget has stopped, by namespace. */
  readonly #stopped = new Map<string, Set<string>>();
  /** By the uid of a budget: uids of pods disrupted since this version of it. */
  readonly #paid = new Map<string, { readonly version: string; readonly pods: Set<string> }>();

  readonly #pods: Informer;

  constructor(budgets: Informer, pods: Informer) {
    this.budgets = budgets;
    this.#pods = pods;
  }

  /** The budgets of a namespace, for one decision. */
  of(namespace: string): readonly DisruptionBudget[] {
    const budgets = this.budgets.list(namespace);
    if (budgets.length === 0) return [];
    const pods = this.#pods.list(namespace);
    return budgets.map((budget) => budgetOf(budget, this.#paidOf(budget), pods));
  }

  /** Records that a pod was disrupted, or may have been. Recording it twice counts once. */
  record(pod: KubeObject): void {
    for (const budget of this.budgets.list(namespaceOf(pod)))
      if (protects(budget, pod)) this.#paidOf(budget).add(uidOf(pod));
  }

  /** A workload is reconciled again when a budget of its namespace changes. */
  waits(namespace: string, key: string): void {
    this.#stopped.set(namespace, (this.#stopped.get(namespace) ?? new Set()).add(key));
  }

  /** Workloads that a change of a budget may let continue; those still stopped wait again. */
  takeStopped(namespace: string): Iterable<string> {
    const stopped = this.#stopped.get(namespace) ?? [];
    this.#stopped.delete(namespace);
    return stopped;
  }

  #paidOf(budget: KubeObject): Set<string> {
    const version = resourceVersionOf(budget);
    const known = this.#paid.get(uidOf(budget));
    if (known?.version === version) return known.pods;
    const pods = new Set<string>();
    this.#paid.set(uidOf(budget), { version, pods });
    return pods;
  }
}

/**
 * `paid`: uids of pods that were disrupted since the status of the budget was written. `pods`: those of its namespace. The
 * status is written a moment after a pod went, and this process may be new: pods that are seen to be out of service count.
 */
export function budgetOf(
  budget: KubeObject,
  paid: ReadonlySet<string>,
  pods: readonly KubeObject[] | undefined,
): DisruptionBudget {
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
  const desired = numberAt(budget, 'status', 'desiredHealthy');
  const healthy = (pods ?? []).filter(
    (pod) => protects(budget, pod) && releasePodOf(pod).isInService && !paid.has(uidOf(pod)),
  ).length;
  const seen = pods === undefined || desired === undefined ? Infinity : healthy - desired;
  return {
    name: nameOf(budget),
    protects: (pod) => protects(budget, pod),
    left: allowed === undefined ? Infinity : Math.min(allowed - paid.size, seen),
    paid,
  };
}

function protects(budget: KubeObject, pod: KubeObject): boolean {
  const selector = objectAt(budget, 'spec', 'selector');
  if (selector === undefined) return false;
  try {
    return matchesLabels(labelSelectorOf(selector), labelsOf(pod));
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
