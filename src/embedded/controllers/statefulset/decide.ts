import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { warning, type Note } from '#loop/note.ts';
import { factsOf, isFinished, nextAvailable, type PodFacts } from '#kube/workload/pod-facts.ts';
import { claimNameOf, claimTemplates } from '#kube/workload/stateful-identity.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { hasOtherController, reowned } from './claim-owners.ts';
import { claimsFor, firstOrdinal, relabelled, statefulPod, type Revision } from './identity.ts';
import {
  isHealthy,
  isRunningAndAvailable,
  placesOf,
  podRevision,
  type FilledPlace,
  type OrdinalPlaces,
} from './replicas.ts';
import { statefulStatus } from './status.ts';

export type StatefulSetSnapshot = {
  readonly set: KubeObject;
  /** The pods it controls. */
  readonly pods: readonly KubeObject[];
  readonly current: Revision;
  readonly update: Revision;
  /** A claim of the set's namespace. */
  readonly claim: (name: string) => KubeObject | undefined;
};

export type StatefulAction =
  | { readonly type: 'create'; readonly pod: KubeObject; readonly claims: readonly KubeObject[] }
  | { readonly type: 'create claims'; readonly pod: string; readonly claims: readonly KubeObject[] }
  | { readonly type: 'delete'; readonly pod: KubeObject; readonly note: Note | undefined }
  | { readonly type: 'relabel'; readonly pod: KubeObject }
  | { readonly type: 'update claim'; readonly claim: KubeObject }
  | { readonly type: 'report'; readonly note: Note };

export type StatefulDecision = {
  readonly actions: readonly StatefulAction[];
  readonly status: JsonObject;
  readonly wakeAt: Instant | undefined;
};

type Context = {
  readonly snapshot: StatefulSetSnapshot;
  readonly now: Instant;
  readonly minReadySeconds: number;
  /** One change at a time, in the order of the ordinals. */
  readonly isOrdered: boolean;
  readonly actions: StatefulAction[];
};

export function decideStatefulSet(snapshot: StatefulSetSnapshot, now: Instant): StatefulDecision {
  const { set, pods } = snapshot;
  const context: Context = {
    snapshot,
    now,
    minReadySeconds: numberAt(set, 'spec', 'minReadySeconds') ?? 0,
    isOrdered: textAt(set, 'spec', 'podManagementPolicy') !== 'Parallel',
    actions: [],
  };
  if (!isDeleting(set)) act(context, placesOf(set, pods));
  return {
    actions: context.actions,
    status: statefulStatus(snapshot, now),
    wakeAt: nextAvailable(pods.map(factsOf), context.minReadySeconds, now),
  };
}

function act(context: Context, places: OrdinalPlaces): void {
  keepClaims(context, places);
  if (fillPlaces(context, places) === 'wait') return;
  if (dropCondemned(context, places) === 'wait') return;
  update(context, places);
}

type Verdict = 'go on' | 'wait';

function fillPlaces(context: Context, { wanted }: OrdinalPlaces): Verdict {
  for (const { ordinal, pod } of wanted) {
    if (pod === undefined) {
      if (create(context, ordinal) === 'wait' || context.isOrdered) return 'wait';
      continue;
    }
    if (settle(context, { ordinal, pod, facts: factsOf(pod) }) === 'wait') return 'wait';
  }
  return 'go on';
}

/** What is to be done about a pod in its place before anything else may happen. */
function settle(context: Context, place: FilledPlace): Verdict {
  const { pod, facts, ordinal } = place;
  const { snapshot, isOrdered, minReadySeconds, now, actions } = context;
  if (isFinished(facts)) {
    // Its successor comes when it is gone.
    if (!facts.isDeleting) actions.push({ type: 'delete', pod, note: recreating(snapshot.set, facts) });
    return 'wait';
  }
  if (facts.phase === 'Pending') {
    const missing = missingClaims(context, ordinal);
    if (missing.length > 0) actions.push({ type: 'create claims', pod: facts.name, claims: missing });
  }
  if (isOrdered && (facts.isDeleting || !isRunningAndAvailable(facts, minReadySeconds, now))) return 'wait';
  const labelled = facts.isDeleting ? undefined : relabelled(snapshot.set, pod, ordinal);
  if (labelled !== undefined) actions.push({ type: 'relabel', pod: labelled });
  return 'go on';
}

function recreating(set: KubeObject, pod: PodFacts): Note {
  const [reason, what] =
    pod.phase === 'Failed' ? ['RecreatingFailedPod', 'failed'] : ['RecreatingTerminatedPod', 'terminated'];
  const message = `StatefulSet ${namespaceOf(set)}/${nameOf(set)} is recreating ${what} Pod ${pod.name}`;
  return pod.phase === 'Failed' ? warning(reason, message) : { type: 'Normal', reason, message };
}

function create(context: Context, ordinal: number): Verdict {
  const { set, claim } = context.snapshot;
  const claims = claimTemplates(set).map((template) => claim(claimNameOf(set, template, ordinal)));
  // A claim that is being deleted would take the data of the new pod with it.
  if (claims.some((each) => each !== undefined && isDeleting(each))) return 'wait';
  const pod = statefulPod(set, revisionFor(context, ordinal), ordinal);
  context.actions.push({ type: 'create', pod, claims: missingClaims(context, ordinal) });
  return 'go on';
}

const missingClaims = ({ snapshot }: Context, ordinal: number): readonly KubeObject[] =>
  claimsFor(snapshot.set, ordinal).filter((wanted) => snapshot.claim(nameOf(wanted)) === undefined);

/** Ordinals below the partition keep the current revision. */
function revisionFor({ snapshot }: Context, ordinal: number): Revision {
  const isKept = isRolling(snapshot.set) && ordinal < firstOrdinal(snapshot.set) + partitionOf(snapshot.set);
  return isKept ? snapshot.current : snapshot.update;
}

const isRolling = (set: KubeObject): boolean => textAt(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
const partitionOf = (set: KubeObject): number =>
  numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;

function dropCondemned(context: Context, places: OrdinalPlaces): Verdict {
  const { isOrdered, minReadySeconds, now, actions } = context;
  const sickest = firstUnhealthy(places);
  for (const { pod, facts } of places.condemned) {
    if (facts.isDeleting) {
      if (isOrdered) return 'wait';
      continue;
    }
    const mayGo = isRunningAndAvailable(facts, minReadySeconds, now) || pod === sickest;
    if (isOrdered && !mayGo) return 'wait';
    actions.push({ type: 'delete', pod, note: undefined });
    if (isOrdered) return 'wait';
  }
  return 'go on';
}

/** The unhealthy pod of the lowest ordinal: it may go although it is not ready. */
function firstUnhealthy({ wanted, condemned }: OrdinalPlaces): KubeObject | undefined {
  const inPlace = wanted.find(({ pod }) => pod === undefined || !isHealthy(factsOf(pod)));
  if (inPlace !== undefined) return inPlace.pod;
  return condemned.findLast(({ facts }) => !isHealthy(facts))?.pod;
}

/** From the highest ordinal down to the partition, one pod after the other. */
function update(context: Context, { wanted }: OrdinalPlaces): void {
  const { snapshot, actions } = context;
  if (!isRolling(snapshot.set)) return;
  for (let at = wanted.length - 1; at >= partitionOf(snapshot.set); at -= 1) {
    const pod = wanted[at]?.pod;
    if (pod === undefined) return;
    const facts = factsOf(pod);
    if (podRevision(facts) !== snapshot.update.name && !facts.isDeleting) {
      actions.push({ type: 'delete', pod, note: undefined });
      return;
    }
    if (!isHealthy(facts)) return;
  }
}

/** Owner references of claims follow the retention policy, before any pod is deleted. */
function keepClaims(context: Context, { wanted, condemned }: OrdinalPlaces): void {
  const { set, claim } = context.snapshot;
  const templates = claimTemplates(set);
  if (templates.length === 0) return;
  const keep = (ordinal: number, pod: KubeObject, isCondemned: boolean): void => {
    for (const template of templates) {
      const found = claim(claimNameOf(set, template, ordinal));
      if (found === undefined) continue;
      if (hasOtherController(set, pod, found))
        context.actions.push({ type: 'report', note: conflicting(found) });
      const changed = reowned(set, pod, found, isCondemned);
      if (changed !== undefined) context.actions.push({ type: 'update claim', claim: changed });
    }
  };
  for (const { ordinal, pod } of wanted) if (pod !== undefined) keep(ordinal, pod, false);
  for (const { ordinal, pod } of condemned) keep(ordinal, pod, true);
}

const conflicting = (claim: KubeObject): Note =>
  warning(
    'ConflictingController',
    `PersistentVolumeClaim ${nameOf(claim)} has a conflicting OwnerReference that acts as a managing controller, the retention policy is ignored for this claim`,
  );
