import { byCost, type Costs } from '#releases/decide/pod-order.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';

export type PodsToDeleteGiven = Costs & {
  readonly pods: readonly ReleasePod[];
  readonly targetRevision: string;
  /** Number of pods to delete. */
  readonly count: number;
  /** At most this number of them has another revision than the target; these come first. */
  readonly old: number;
  /** Number of pods that stay in service during a release. */
  readonly leastInService: number;
  /** Whether a pod is available. */
  readonly isServing: (pod: ReleasePod) => boolean;
  /** Whether it is, or may be: the clock is behind. */
  readonly mayServe: (pod: ReleasePod) => boolean;
};

/**
 * The pods to delete when scaling down. During a release an old pod in service is not deleted when too few would stay in
 * service: a pod that is not in service is deleted in its place.
 */
export function choosePodsToDelete(given: PodsToDeleteGiven): readonly ReleasePod[] {
  const { pods, targetRevision, count, old, leastInService, isServing, mayServe } = given;
  const isOld = (view: ReleasePod): boolean => view.revision !== targetRevision;
  const olds = pods.filter(isOld);
  const others = pods.filter((view) => !isOld(view));
  const ranked = byCost(olds, given);
  const ordered = [...ranked.slice(0, old), ...byCost(others, given)];
  if (olds.length === 0) return ordered.slice(0, count);
  // An old pod that is not available is deleted before an available one that would be missed.
  const kept = ranked.slice(old).filter((view) => !mayServe(view));
  let spare = pods.filter(isServing).length - leastInService;
  const chosen: ReleasePod[] = [];
  const spared: ReleasePod[] = [];
  for (const view of [...ordered, ...kept]) {
    if (mayServe(view) && spare <= 0) {
      spared.push(view);
      continue;
    }
    if (chosen.length === count) break;
    if (mayServe(view)) spare -= 1;
    chosen.push(view);
  }
  const [unsure, sure] = [spared.filter((view) => !isServing(view)), spared.filter(isServing)];
  return [...chosen, ...unsure, ...sure].slice(0, count);
}
