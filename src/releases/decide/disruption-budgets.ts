import { uidOf, type KubeObject } from '#kube/object.ts';

/** A PodDisruptionBudget as a decision sees it. */
export type DisruptionBudget = {
  readonly name?: string;
  readonly protects: (pod: KubeObject) => boolean;
  /** Disruptions that it still allows, without those of `paid`; Infinity until its controller has computed it. */
  readonly left: number;
  /** Uids of pods disrupted since its status was written. Disrupting one of them again costs nothing. */
  readonly paid: ReadonlySet<string>;
};

/** The budgets after one more disruption within the same decision; undefined when one of them allows none. */
export function spendDisruption(
  budgets: readonly DisruptionBudget[],
  pod: KubeObject,
): readonly DisruptionBudget[] | undefined {
  const due = budgets.filter((budget) => budget.protects(pod) && !budget.paid.has(uidOf(pod)));
  if (due.length === 0) return budgets;
  if (due.some(({ left }) => left <= 0)) return undefined;
  return budgets.map((budget) => (due.includes(budget) ? { ...budget, left: budget.left - 1 } : budget));
}
