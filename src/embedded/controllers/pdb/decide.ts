import { conditionsOf, setCondition } from '#kube/conditions.ts';
import { at, numberAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { later, minutes, parseTime, type Instant } from '#base/time.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import { normal, warning, type Note } from '#loop/note.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

export type BudgetSnapshot = {
  readonly budget: KubeObject;
  /** The pods its selector picks. */
  readonly pods: readonly KubeObject[];
  /** Number of pods that their controllers want; unknown with the reason. */
  readonly scale:
    { readonly type: 'known'; readonly count: number } | { readonly type: 'unknown'; readonly why: string };
};

export type BudgetDecision = {
  readonly status: JsonObject;
  readonly notes: readonly Note[];
  readonly wakeAt: Instant | undefined;
};

/** An eviction is void if the pod still exists after this time. */
const patience = minutes(2);

export function decideBudget(snapshot: BudgetSnapshot, now: Instant): BudgetDecision {
  const { budget, pods } = snapshot;
  const notes: Note[] = pods.length === 0 ? [normal('NoPods', 'No matching pods found')] : [];
  const wish = wishOf(snapshot);
  if (wish.type === 'unknown') return failed(budget, wish.why, notes, now);
  const disrupted = stillDisrupted(snapshot, notes, now);
  const healthy = pods.filter((pod) => {
    const { isDeleting, isReady, name } = factsOf(pod);
    return isReady && !isDeleting && !disrupted.pods.has(name);
  }).length;
  const isEmpty = wish.expected <= 0;
  const allowed = isEmpty ? 0 : Math.max(0, healthy - wish.desired);
  const status = {
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: wish.desired,
    expectedPods: wish.expected,
    observedGeneration: generationOf(budget),
    ...(disrupted.pods.size === 0 ? {} : { disruptedPods: Object.fromEntries(disrupted.pods) }),
    conditions: conditions(budget, allowed > 0 ? sufficient : insufficient, now),
  };
  return { status, notes, wakeAt: disrupted.until };
}

/** The number of pods that must stay healthy, from minAvailable or maxUnavailable. */
function wishOf({
  budget,
  pods,
  scale,
}: BudgetSnapshot):
  | { readonly type: 'known'; readonly expected: number; readonly desired: number }
  | { readonly type: 'unknown'; readonly why: string } {
  const most = at(budget, 'spec', 'maxUnavailable');
  const least = at(budget, 'spec', 'minAvailable');
  if (most === undefined && typeof least === 'number') {
    return { type: 'known', expected: pods.length, desired: least };
  }
  if (most === undefined && least === undefined) return { type: 'known', expected: pods.length, desired: 1 };
  if (scale.type === 'unknown') return scale;
  const expected = scale.count;
  const desired =
    most === undefined
      ? scaledValue(least, expected, 'up')
      : Math.max(0, expected - scaledValue(most, expected, 'up'));
  return { type: 'known', expected, desired };
}

/** Whether the scale of the pods' controllers is needed. */
export const needsScale = (budget: KubeObject): boolean =>
  at(budget, 'spec', 'maxUnavailable') !== undefined ||
  typeof at(budget, 'spec', 'minAvailable') === 'string';

/** Pods that were allowed to be evicted and are not gone yet. */
function stillDisrupted(
  { budget, pods }: BudgetSnapshot,
  notes: Note[],
  now: Instant,
): { readonly pods: ReadonlyMap<string, string>; readonly until: Instant | undefined } {
  const byName = new Map(pods.map((pod) => [factsOf(pod).name, factsOf(pod)]));
  const found = new Map<string, string>();
  let until: Instant | undefined;
  for (const [name, time] of Object.entries(objectAt(budget, 'status', 'disruptedPods') ?? {})) {
    const pod = byName.get(name);
    const since = typeof time === 'string' ? parseTime(time) : undefined;
    if (pod === undefined || pod.isDeleting || since === undefined || typeof time !== 'string') continue;
    const end = later(since, patience);
    if (end <= now) {
      const who = `${namespaceOf(budget)}/${nameOf(budget)}`;
      notes.push(warning('NotDeleted', `Pod was expected by PDB ${who} to be deleted but it wasn't`));
      continue;
    }
    found.set(name, time);
    if (until === undefined || end < until) until = end;
  }
  return { pods: found, until };
}

const generationOf = (budget: KubeObject): number => numberAt(budget, 'metadata', 'generation') ?? 0;

type Verdict = { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };

const sufficient: Verdict = { status: 'True', reason: 'SufficientPods', message: '' };
const insufficient: Verdict = { status: 'False', reason: 'InsufficientPods', message: '' };

function conditions(budget: KubeObject, verdict: Verdict, now: Instant): readonly Json[] {
  const next = { type: 'DisruptionAllowed', ...verdict, observedGeneration: generationOf(budget) };
  return setCondition(conditionsOf(budget), next, now);
}

/** While the expected number of pods is unknown, evictions are not allowed. */
function failed(budget: KubeObject, why: string, notes: readonly Note[], now: Instant): BudgetDecision {
  const verdict: Verdict = { status: 'False', reason: 'SyncFailed', message: why };
  const status = {
    ...objectAt(budget, 'status'),
    disruptionsAllowed: 0,
    observedGeneration: generationOf(budget),
    conditions: conditions(budget, verdict, now),
  };
  return {
    status,
    notes: [
      ...notes,
      warning('CalculateExpectedPodCountFailed', `Failed to calculate the number of expected pods: ${why}`),
    ],
    wakeAt: undefined,
  };
}
