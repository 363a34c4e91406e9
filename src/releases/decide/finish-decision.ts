import { numberAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { labelSelectorOf, printLabelSelector } from '#kube/label-selector.ts';
import { labelsOf, nameOf } from '#kube/object.ts';
import type { DecisionDraft, WaitingPod } from './decision-draft.ts';
import { hasFinalizer } from './finalizer.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { workloadUidLabel } from '#releases/model/well-known.ts';
import { resumeAnnotations } from './own-resume.ts';
import { earlier, type PodHookEntry, type PodHookPoint } from './pod-hooks.ts';
import type { Release } from './release.ts';
import { deletionBlockers, releaseStatus } from './release-status.ts';
import type { Decision } from './snapshot.ts';
import { staleRuns } from './stale-runs.ts';
import { recordAct } from './acts/record-act.ts';
import { listOrUndefined, withoutUndefined } from './defined.ts';
import { releaseHistory } from './release-history.ts';
import { stepNotes } from './step-notes.ts';
import { stepStatus } from './step-status.ts';
import { stepBefore, userChanges } from './user-changes.ts';
import { finalizersOf } from './workload-deletion.ts';
import type { RecordedAct } from '#releases/kinds/release-history.ts';

export type FinishParts = {
  /** Fields of the status that only this kind has. */
  readonly extraStatus: JsonObject;
  /** Changes of the spec that only this kind makes. */
  readonly extraSpec?: JsonObject;
  /** Pods must still be created or deleted. */
  readonly isScaling: boolean;
};

/** Computes the status, the changes of the spec and the finalizers, and joins them with the draft. */
export function finishDecision(release: Release, draft: DecisionDraft, parts: FinishParts): Decision {
  const { views, instanceOf, target, snapshot } = release;
  const retry = retriedPoints(release);
  const blockers = [...draft.blockers, ...deletionBlockers(release)];
  const state = releaseStatus(release, blockers, parts.isScaling);
  const act = decidedAct(release);
  const changes = userChanges(release);
  const acts = [...(act === undefined ? [] : [act]), ...changes];
  const stale = staleRuns({
    runs: snapshot.runs,
    pods: views,
    instanceOf,
    targetRevision: nameOf(target),
    busy: busyPods(draft),
    retry: new Set(retry.map(({ point }) => point)),
  });
  return {
    actions: [...draft.actions, ...stale, ...endUnownedRuns(release)],
    notes: [...draft.notes, ...stepNotes(release, act, changes), ...state.notes],
    spec: specChange(release, retry, parts.extraSpec),
    status: statusOf(release, draft, {
      ...stepStatus(release, act),
      ...parts.extraStatus,
      ...state.status,
      history: releaseHistory(release, state, acts).map(withoutUndefined),
    }),
    annotations: resumeAnnotations(snapshot.workload, {
      before: release.spec.paused,
      after: release.steps.paused,
    }),
    finalizers: finalizersOf(snapshot.workload, release.spec.preDelete, release),
    wakeAt: earlier(draft.wakeAt, state.wakeAt),
    isWaitingForBudget: blockers.some(({ reason }) => reason === 'BlockedByDisruptionBudget'),
    blockers,
  };
}

/** The marks of pods may be lost: what is decided now counts. */
const busyPods = ({ waiting, actions }: DecisionDraft): ReadonlySet<string> =>
  new Set([
    ...waiting.map(({ entry }) => entry.podName),
    ...actions.flatMap((action) =>
      action.type === 'delete-pod' || action.type === 'begin-in-place' ? [nameOf(action.pod)] : [],
    ),
  ]);

/** The request of a user that was decided now, as the status and the history record it. */
function decidedAct(release: Release): RecordedAct | undefined {
  const { steps, snapshot } = release;
  if (steps.act === undefined) return undefined;
  const { workload, now } = snapshot;
  return recordAct(steps.act, { workload, step: stepBefore(release), now });
}

/** HookRuns of a workload that is being deleted have no owner: they are deleted when no hook is needed any more. */
function endUnownedRuns({ deletion, snapshot }: Release): readonly ReleaseAction[] {
  if (deletion.type !== 'unasked' || !hasFinalizer(snapshot.workload)) return [];
  const unowned = snapshot.runs.filter((run) => labelsOf(run)[workloadUidLabel] !== undefined);
  return [
    ...(deletion.glass === undefined ? [] : [{ type: 'break-workload-glass', ...deletion.glass } as const]),
    ...unowned.map((run) => ({ type: 'delete-run', run }) as const),
  ];
}

const strategies = [
  { point: 'pre-delete', name: 'preDeleteUpdateStrategy', of: ({ spec }: Release) => spec.preDelete },
  { point: 'pre-inplace', name: 'preInplaceUpdateStrategy', of: ({ spec }: Release) => spec.preInplace },
  { point: 'post-inplace', name: 'postInplaceUpdateStrategy', of: ({ spec }: Release) => spec.postInplace },
] as const;

/** Hooks whose `retry` is true: their failed HookRuns are deleted, and they run again. */
const retriedPoints = (release: Release): readonly (typeof strategies)[number][] =>
  strategies.filter(({ of }) => of(release)?.retry === true);

function specChange(
  { spec, steps }: Release,
  retry: readonly (typeof strategies)[number][],
  extra: JsonObject | undefined,
): JsonObject | undefined {
  const change: JsonObject = {
    ...extra,
    ...(steps.paused === spec.paused ? {} : { updateStrategy: { paused: steps.paused } }),
    ...Object.fromEntries(retry.map(({ name }) => [name, { retry: false }])),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

type StatusMembers = Readonly<Record<string, Json | undefined>>;

/** `more`: what depends on the kind of the workload, and the state of the release. */
function statusOf(release: Release, { waiting }: DecisionDraft, more: StatusMembers): JsonObject {
  const { snapshot, counts, current } = release;
  const { workload, updateRevision } = snapshot;
  return withoutUndefined({
    observedGeneration: numberAt(workload, 'metadata', 'generation') ?? 0,
    replicas: counts.replicas,
    readyReplicas: counts.ready,
    updatedReplicas: counts.updated,
    updatedReadyReplicas: counts.updatedReady,
    currentRevision: nameOf(current ?? updateRevision),
    updateRevision: nameOf(updateRevision),
    collisionCount: numberAt(workload, 'status', 'collisionCount') ?? 0,
    labelSelector: printLabelSelector(labelSelectorOf(objectAt(workload, 'spec', 'selector'))),
    preDeleteHookCondition: hookConditions(release, waiting, 'pre-delete'),
    preInplaceHookCondition: hookConditions(release, waiting, 'pre-inplace'),
    postInplaceHookCondition: listOrUndefined(entriesOf(waiting, 'post-inplace')),
    ...more,
  });
}

const entriesOf = (waiting: readonly WaitingPod[], point: PodHookPoint): readonly PodHookEntry[] =>
  waiting.filter((each) => each.point === point).map(({ entry }) => entry);

/** Pods that wait for a hook, also those that were not considered at this reconcile. */
function hookConditions(
  { hooks, views, target }: Release,
  waiting: readonly WaitingPod[],
  point: PodHookPoint,
): Json | undefined {
  const listed = entriesOf(waiting, point);
  const names = new Set(listed.map(({ podName }) => podName));
  const others = views.flatMap((view) => {
    const isOpen = view.leaving !== undefined || view.revision !== nameOf(target);
    const entry = isOpen ? hooks.entryFor(point, view) : undefined;
    return entry === undefined || names.has(entry.podName) ? [] : [entry];
  });
  return listOrUndefined([...listed, ...others]);
}
