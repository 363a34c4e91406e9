import { numberAt, objectAt } from '#base/json.ts';
import type { Informer } from '#loop/informer.ts';
import { labelSelectorOf, matchesLabels, SelectorError } from '#kube/label-selector.ts';
import { labelsOf, namespaceOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** What budgets still allow, counting what was taken since their controller last spoke. */
export class Disruptions {
  readonly budgets: Informer;
  /** Workloads that a budget has stopped, by namespace. */
  readonly #stopped = new Map<string, Set<string>>();
  readonly #taken = new Map<string, { readonly version: string; count: number }>();

  constructor(budgets: Informer) {
    this.budgets = budgets;
  }

  /** Takes one disruption from every budget that protects the pod of a workload, or none at all. */
  take(key: string, pod: KubeObject): boolean {
    const namespace = namespaceOf(pod);
    const budgets = this.budgets.list(namespace).filter((budget) => protects(budget, pod));
    if (budgets.some((budget) => this.#left(budget) <= 0)) {
      const stopped = this.#stopped.get(namespace) ?? new Set();
      this.#stopped.set(namespace, stopped.add(key));
      return false;
    }
    for (const budget of budgets) this.#entry(budget).count += 1;
    return true;
  }

  /** Whom news of a budget may let go on; they say so anew if not. */
  takeStopped(namespace: string): Iterable<string> {
    const stopped = this.#stopped.get(namespace) ?? [];
    this.#stopped.delete(namespace);
    return stopped;
  }

  #left(budget: KubeObject): number {
    const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
    // A budget that nobody has looked at yet forbids nothing.
    return allowed === undefined ? Infinity : allowed - this.#entry(budget).count;
  }

  #entry(budget: KubeObject): { count: number } {
    const version = resourceVersionOf(budget);
    const known = this.#taken.get(uidOf(budget));
    if (known?.version === version) return known;
    const fresh = { version, count: 0 };
    this.#taken.set(uidOf(budget), fresh);
    return fresh;
  }
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
