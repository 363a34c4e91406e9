import { byCost, type Costs } from '#releases/decide/pod-order.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';

export type PodsToDeleteGiven = Costs & {
  readonly pods: readonly ReleasePod[];
  readonly targetRevision: string;
  /** How many go. */
  readonly count: number;
  /** So many of them at most are not of the target revision, and these go first. */
  readonly old: number;
  /** So many shall stay in service while a release is under way. */
  readonly leastInService: number;
  /** Whether a pod is in service, and has been for long enough. */
  readonly isServing: (pod: ReleasePod) => boolean;
};

/**
 * Who goes when there are too many (§2.5). While a release is under way the budget counts here as well: an old pod in
 * service does not go when that leaves too few; a pod that is out of service anyway goes in its place.
 */
export function choosePodsToDelete(given: PodsToDeleteGiven): readonly ReleasePod[] {
  const { pods, targetRevision, count, old, leastInService, isServing } = given;
  const isOld = (view: ReleasePod): boolean => view.revision !== targetRevision;
  const olds = pods.filter(isOld);
  const others = pods.filter((view) => !isOld(view));
  const ranked = byCost(olds, given);
  const ordered = [...ranked.slice(0, old), ...byCost(others, given)];
  if (olds.length === 0) return ordered.slice(0, count);
  // Rather than one too many in service, one that should stay old and serves nobody.
  const kept = ranked.slice(old).filter((view) => !isServing(view));
  let spare = pods.filter(isServing).length - leastInService;
  const chosen: ReleasePod[] = [];
  const spared: ReleasePod[] = [];
  for (const view of [...ordered, ...kept]) {
    if (isServing(view) && spare <= 0) {
      spared.push(view);
      continue;
    }
    if (chosen.length === count) break;
    if (isServing(view)) spare -= 1;
    chosen.push(view);
  }
  return [...chosen, ...spared].slice(0, count);
}
