import { equalJson, numberAt, objectAt } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { millis, type Clock } from '#base/time.ts';
import { decideBudget } from '#embedded/controllers/pdb/decide.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import type { ModelApi } from './model-api.ts';
import type { ModelChange } from './model-store.ts';

const storage = 'policy/poddisruptionbudgets';
const owners = ['tkex.tencent.com/gamedeployments', 'tkex.tencent.com/gamestatefulsets'];

export type BudgetsDeps = { readonly api: ModelApi; readonly clock: Clock; readonly random: Random };

/** Keeps the status of PodDisruptionBudgets, a moment late as the controller of Kubernetes does. */
export class ModelBudgets {
  readonly #deps: BudgetsDeps;
  readonly #due = new Set<string>();

  constructor(deps: BudgetsDeps) {
    this.#deps = deps;
  }

  /** Follows the store from now on. */
  begin(): void {
    this.#deps.api.store.subscribe((change) => this.#see(change));
  }

  #see({ storage: changed, object }: ModelChange): void {
    if (changed !== '/pods' && changed !== storage && !owners.includes(changed)) return;
    const namespace = namespaceOf(object);
    if (this.#due.has(namespace) || this.#deps.api.store.within(storage, namespace).size === 0) return;
    this.#due.add(namespace);
    const { clock, random } = this.#deps;
    clock.after(millis(10 + 10 * Math.ceil(random.next() * 30)), () => {
      this.#due.delete(namespace);
      for (const budget of this.#deps.api.store.within(storage, namespace).values()) this.#count(budget);
    });
  }

  #count(budget: KubeObject): void {
    const { api, clock } = this.#deps;
    const selector = labelSelectorOf(objectAt(budget, 'spec', 'selector') ?? {});
    const pods = [...api.store.within('/pods', namespaceOf(budget)).values()].filter((pod) =>
      matchesLabels(selector, labelsOf(pod)),
    );
    const scale = { type: 'known', count: this.#wanted(pods) } as const;
    const { status } = decideBudget({ budget, pods, scale }, clock.now());
    if (!equalJson(status, budget['status'])) api.set(storage, { ...budget, status });
  }

  /** The replicas that the controllers of these pods want. */
  #wanted(pods: readonly KubeObject[]): number {
    const found = new Map<string, number>();
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (owner === undefined) continue;
      for (const table of owners) {
        const workload = this.#deps.api.store.get(table, namespaceOf(pod), owner.name);
        if (workload !== undefined && uidOf(workload) === owner.uid)
          found.set(`${table}/${nameOf(workload)}`, numberAt(workload, 'spec', 'replicas') ?? 1);
      }
    }
    return [...found.values()].reduce((sum, count) => sum + count, 0);
  }
}
