import { listAt, numberAt, textAt } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { conditionOf } from '#kube/conditions.ts';
import { progressInPlace } from '#releases/decide/in-place.ts';
import { isInServiceFor, releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import { causeOf } from '#releases/decide/unready-cause.ts';
import type { BudgetEvidence, PodEvidence } from './explanation.ts';
import type { ExplainContext } from './explain-context.ts';

/** Number of pods that are shown. */
const most = 5;

export function podEvidence(context: ExplainContext): {
  readonly pods: readonly PodEvidence[];
  readonly morePods?: number;
} {
  const unready = unreadyPods(context);
  const morePods = unready.length - most;
  return {
    pods: unready.slice(0, most).map((view) => evidenceOf(context, view)),
    ...(morePods > 0 ? { morePods } : {}),
  };
}

/** Pods that are not in service for minReadySeconds: updated ones first, and those that show a cause. */
export function unreadyPods({ snapshot, spec, updateRevision }: ExplainContext): readonly ReleasePod[] {
  const { minReadySeconds = 0 } = spec;
  const rank = (view: ReleasePod): number =>
    (view.revision === updateRevision ? 0 : 2) + (causeOf(view) === undefined ? 1 : 0);
  return snapshot.pods
    .map(releasePodOf)
    .filter((view) => view.isActive && !isInServiceFor(view, minReadySeconds, snapshot.now))
    .toSorted((left, right) => rank(left) - rank(right) || (left.facts.name < right.facts.name ? -1 : 1));
}

function evidenceOf(context: ExplainContext, view: ReleasePod): PodEvidence {
  const { facts, revision, restarts } = view;
  return {
    name: facts.name,
    revision,
    cause: causeOf(view) ?? updateCause(context, view) ?? quietCause(view),
    restarts,
    ...(facts.node === '' ? {} : { node: facts.node }),
  };
}

/** Pods are taken out of service while they are updated in place. */
function updateCause({ snapshot, spec }: ExplainContext, view: ReleasePod): string | undefined {
  const { deadlineSeconds = 600, gracePeriodSeconds = 0 } = spec.updateStrategy?.inPlaceUpdateStrategy ?? {};
  const progress = progressInPlace(view, deadlineSeconds + gracePeriodSeconds, snapshot.now);
  switch (progress.type) {
    case 'grace':
      return `it is taken out of service before its update in place, until ${formatTime(progress.until)}`;
    case 'replacing':
    case 'write':
      return 'its containers are being replaced';
    case 'stuck':
      return `its containers (${progress.containers.join(', ')}) were not ${progress.lack} since ${formatTime(progress.since)}`;
    case 'idle':
    case 'done':
      return undefined;
  }
}

function quietCause({ pod, facts, gate, isInService }: ReleasePod): string {
  if (isInService) return 'it is ready, but not for minReadySeconds yet';
  const ended = listAt(pod, 'status', 'containerStatuses').find(
    (each) => numberAt(each, 'state', 'terminated', 'exitCode') !== undefined,
  );
  if (ended !== undefined)
    return `its container ${textAt(ended, 'name') ?? ''} ended with exit code ${numberAt(ended, 'state', 'terminated', 'exitCode') ?? ''}`;
  if (facts.phase !== 'Running') return `it is ${facts.phase === '' ? 'new' : facts.phase}`;
  if (!facts.isReady) {
    const ready = conditionOf(pod, 'ContainersReady') ?? conditionOf(pod, 'Ready');
    return textAt(ready, 'message') ?? 'it runs, but is not ready';
  }
  return gate === 'shut' ? 'its readiness gate is closed' : 'it is not in service';
}

/** With OnDelete: the old pod that is due first, the highest ordinal. */
export function podToDelete({ snapshot, updateRevision }: ExplainContext): string | undefined {
  const old = snapshot.pods
    .map(releasePodOf)
    .filter(({ isActive, revision }) => isActive && revision !== updateRevision);
  const [first] = old.toSorted(
    (left, right) => ordinalOf(right) - ordinalOf(left) || (left.facts.name < right.facts.name ? -1 : 1),
  );
  return first?.facts.name;
}

const ordinalOf = ({ facts }: ReleasePod): number => Number(/-(\d+)$/.exec(facts.name)?.[1] ?? 0);

/** PodDisruptionBudgets of pods of the workload that allow nothing more. */
export const budgetEvidence = ({ snapshot }: ExplainContext): readonly BudgetEvidence[] =>
  snapshot.budgets
    .filter((budget) => budget.left <= 0 && snapshot.pods.some((pod) => budget.protects(pod)))
    .map(({ name = '', left }) => ({ name, disruptionsAllowed: Math.max(0, left) }));
