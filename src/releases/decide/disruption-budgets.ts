import { uidOf, type KubeObject } from '#kube/object.ts';

/** A PodDisruptionBudget as a decision sees it. */
export type DisruptionBudget = {
  readonly name?: string;
  readonly protects: (pod: KubeObject) => boolean;
  /**
   * Disruptions that it still allows, without those of `paid`; Infinity until its controller has computed it. Below 0 when
   * others took pods away since: then it allows those of `paid` no more either.
   */
  readonly left: number;
  /** Uids of pods disrupted since its status was written. Disrupting one of them again costs nothing. */
  readonly paid: ReadonlySet<string>;
};

/** The budgets after one more disruption within the same decision; undefined when one of them does not allow it. */
export function spendDisruption(
  budgets: readonly DisruptionBudget[],
  pod: KubeObject,
): readonly DisruptionBudget[] | undefined {
  const spent = budgets.map((budget) => ({ ...budget, left: budget.left - costOf(budget, pod) }));
  return spent.some(({ protects, left }) => protects(pod) && left < 0) ? undefined : spent;
}

const costOf = ({ protects, paid }: DisruptionBudget, pod: KubeObject): number =>
  protects(pod) && !paid.has(uidOf(pod)) ? 1 : 0;
