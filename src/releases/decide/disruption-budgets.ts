import { uidOf, type KubeObject } from '#kube/object.ts';

/** What a decision needs to know of a PodDisruptionBudget. */
export type DisruptionBudget = {
  readonly protects: (pod: KubeObject) => boolean;
  /** Disruptions that it still allows, without those of `paid`; Infinity until its controller has computed it. */
  readonly left: number;
  /** Uids of pods that were disrupted since its status was written: doing it again costs nothing. */
  readonly paid: ReadonlySet<string>;
};

/** Whether one more pod may be disrupted, counting those that the same decision has already allowed. */
export type DisruptionCheck = (pod: KubeObject) => boolean;

/** A check for one decision. It changes no budget: what was really disrupted is recorded after the write. */
export function disruptionCheck(budgets: readonly DisruptionBudget[]): DisruptionCheck {
  const counted = budgets.map((budget) => ({ budget, taken: 0 }));
  return (pod) => {
    const due = counted.filter(({ budget }) => budget.protects(pod) && !budget.paid.has(uidOf(pod)));
    if (due.some(({ budget, taken }) => budget.left - taken <= 0)) return false;
    for (const each of due) each.taken += 1;
    return true;
  };
}
