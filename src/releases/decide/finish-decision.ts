import { numberAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { labelSelectorOf, printLabelSelector } from '#kube/label-selector.ts';
import { labelsOf, nameOf } from '#kube/object.ts';
import type { EventNote } from './action.ts';
import { releaseStatus } from './release-status.ts';
import { finalizersOf } from './workload-deletion.ts';
import { hasFinalizer } from './delete-pod.ts';
import type { PodHookEntry, PodHookPoint } from './pod-hooks.ts';
import type { Release } from './release.ts';
import type { Decision } from './snapshot.ts';
import { staleRuns } from './stale-runs.ts';
import { workloadUidLabel } from './well-known.ts';

export type FinishParts = {
  /** What the status of this kind has beside the rest. */
  readonly extraStatus: JsonObject;
  /** What the spec of this kind changes beside the rest. */
  readonly extraSpec?: JsonObject;
  /** Pods are still to be made or removed. */
  readonly isScaling: boolean;
};

/** Closes a look: what is to be done, the spec as the controller wants it, and the status that tells of it. */
export function finishDecision(release: Release, parts: FinishParts): Decision {
  const { draft, steps, views, instanceOf, target, snapshot } = release;
  const retry = retriedPoints(release);
  draft.action(
    ...staleRuns({
      runs: snapshot.runs,
      pods: views,
      instanceOf,
      targetRevision: nameOf(target),
      retry: new Set(retry.map(({ point }) => point)),
    }),
  );
  endQuestions(release);
  if (steps.movedTo !== undefined) draft.say(movedSaid(release, steps.movedTo));
  if (steps.resumedUnready > 0) draft.say(resumedSaid(release));
  const status = statusOf(release, parts);
  return {
    actions: draft.actions,
    notes: draft.notes,
    spec: specChange(release, retry, parts.extraSpec),
    status,
    finalizers: finalizersOf(snapshot.workload, release.spec.preDelete, release),
    wakeAt: draft.wakeAt,
    isWaitingForBudget: draft.blockers.some(({ reason }) => reason === 'BlockedByDisruptionBudget'),
  };
}

/** A workload that goes without asking takes back what it has asked: nobody owns those HookRuns. */
function endQuestions({ deletion, snapshot, draft }: Release): void {
  if (deletion.type !== 'unasked' || !hasFinalizer(snapshot.workload)) return;
  if (deletion.glass !== undefined) draft.action({ type: 'break-workload-glass', ...deletion.glass });
  const asked = snapshot.runs.filter((run) => labelsOf(run)[workloadUidLabel] !== undefined);
  draft.action(...asked.map((run) => ({ type: 'delete-run', run }) as const));
}

function movedSaid({ spec }: Release, index: number): EventNote {
  const count = spec.steps?.length ?? 0;
  const message = index >= count ? `All ${count} steps are done` : `At step ${index + 1} of ${count}`;
  return { type: 'Normal', reason: 'SetStepIndex', message: `${message} (index ${index})` };
}

function resumedSaid({ steps }: Release): EventNote {
  const message = `A person resumed the release although ${steps.resumedUnready} updated pods are not ready`;
  return { type: 'Warning', reason: 'ResumedWithUnreadyPods', message };
}

const strategies = [
  { point: 'pre-delete', name: 'preDeleteUpdateStrategy', of: ({ spec }: Release) => spec.preDelete },
  { point: 'pre-inplace', name: 'preInplaceUpdateStrategy', of: ({ spec }: Release) => spec.preInplace },
  { point: 'post-inplace', name: 'postInplaceUpdateStrategy', of: ({ spec }: Release) => spec.postInplace },
] as const;

/** Hooks that a person wants to see asked again, each on its own (G12). */
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

function statusOf(release: Release, parts: FinishParts): JsonObject {
  const { snapshot, counts, draft, oldest } = release;
  const { workload, updateRevision } = snapshot;
  return withoutUndefined({
    observedGeneration: numberAt(workload, 'metadata', 'generation') ?? 0,
    replicas: counts.replicas,
    readyReplicas: counts.ready,
    updatedReplicas: counts.updated,
    updatedReadyReplicas: counts.updatedReady,
    ...parts.extraStatus,
    currentRevision: nameOf(oldest ?? updateRevision),
    updateRevision: nameOf(updateRevision),
    collisionCount: numberAt(workload, 'status', 'collisionCount') ?? 0,
    labelSelector: printLabelSelector(labelSelectorOf(objectAt(workload, 'spec', 'selector'))),
    ...stepStatus(release),
    preDeleteHookCondition: listOrUndefined(openQuestions(release, 'pre-delete')),
    preInplaceHookCondition: listOrUndefined(openQuestions(release, 'pre-inplace')),
    postInplaceHookCondition: listOrUndefined(draft.entries['post-inplace']),
    ...releaseStatus(release, parts.isScaling),
  });
}

/** Pods that wait for an answer, also those whose turn it was not at this look. */
function openQuestions(
  { draft, hooks, views, target }: Release,
  point: PodHookPoint,
): readonly PodHookEntry[] {
  const told = draft.entries[point];
  const others = views.flatMap((view) => {
    const isOpen = view.leaving !== undefined || view.revision !== nameOf(target);
    const entry = isOpen ? hooks.entryFor(point, view) : undefined;
    return entry === undefined || draft.isWaiting(point, entry.podName) ? [] : [entry];
  });
  return others.length === 0 ? told : [...told, ...others];
}

function stepStatus({ steps, stepRun, spec }: Release): Readonly<Record<string, Json | undefined>> {
  const { stepIndex, stepHash, stableRevision, abortedRevision, pauses, releaseId, walked } = steps;
  const canary = withoutUndefined({
    revision: stableRevision,
    currentStepHookRun: stepRun,
    abortedRevision,
    releaseID: releaseId,
    walkedSteps: walked === undefined ? undefined : listOrUndefined(walked),
  });
  return {
    currentStepIndex: stepIndex,
    currentStepHash: stepHash,
    canary: Object.keys(canary).length === 0 ? undefined : canary,
    pauseConditions: listOrUndefined(pauses),
    step: stepIndex === undefined ? undefined : `${stepIndex}/${spec.steps?.length ?? 0}`,
  };
}

const listOrUndefined = (list: readonly (object | string)[]): Json | undefined =>
  list.length === 0 ? undefined : (list as unknown as Json);

function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
