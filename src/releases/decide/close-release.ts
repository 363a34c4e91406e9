import { numberAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { labelSelectorOf, printLabelSelector } from '#kube/label-selector.ts';
import { labelsOf, nameOf } from '#kube/object.ts';
import type { Said } from './act.ts';
import { standingStatus } from './close-standing.ts';
import { finalizersOf } from './departure.ts';
import { hasFinalizer } from './leave.ts';
import type { PodHookEntry, PodHookPoint } from './pod-hooks.ts';
import type { Release } from './release.ts';
import type { Decision } from './sight.ts';
import { staleRuns } from './stale-runs.ts';
import { workloadUidLabel } from './words.ts';

export type CloseParts = {
  /** What the status of this kind has beside the rest. */
  readonly extraStatus: JsonObject;
  /** What the spec of this kind changes beside the rest. */
  readonly extraSpec?: JsonObject;
  /** Pods are still to be made or removed. */
  readonly isScaling: boolean;
};

/** Closes a look: what is to be done, the spec as the controller wants it, and the status that tells of it. */
export function closeRelease(release: Release, parts: CloseParts): Decision {
  const { findings, steps, views, instanceOf, target, sight } = release;
  const retry = retriedPoints(release);
  findings.act(
    ...staleRuns({
      runs: sight.runs,
      pods: views,
      instanceOf,
      targetRevision: nameOf(target),
      retry: new Set(retry.map(({ point }) => point)),
    }),
  );
  endQuestions(release);
  if (steps.movedTo !== undefined) findings.say(movedSaid(release, steps.movedTo));
  if (steps.resumedUnready > 0) findings.say(resumedSaid(release));
  const status = statusOf(release, parts);
  return {
    acts: findings.acts,
    said: findings.said,
    spec: specChange(release, retry, parts.extraSpec),
    status,
    finalizers: finalizersOf(sight.workload, release.spec.preDelete, release),
    wakeAt: findings.wakeAt,
    isWaitingForBudget: findings.holds.some(({ reason }) => reason === 'BlockedByDisruptionBudget'),
  };
}

/** A workload that goes without asking takes back what it has asked: nobody owns those HookRuns. */
function endQuestions({ departure, sight, findings }: Release): void {
  if (departure.type !== 'unasked' || !hasFinalizer(sight.workload)) return;
  if (departure.glass !== undefined) findings.act({ type: 'break-workload-glass', ...departure.glass });
  const asked = sight.runs.filter((run) => labelsOf(run)[workloadUidLabel] !== undefined);
  findings.act(...asked.map((run) => ({ type: 'delete-run', run }) as const));
}

function movedSaid({ spec }: Release, index: number): Said {
  const count = spec.steps?.length ?? 0;
  const message = index >= count ? `All ${count} steps are done` : `At step ${index + 1} of ${count}`;
  return { type: 'Normal', reason: 'SetStepIndex', message: `${message} (index ${index})` };
}

function resumedSaid({ steps }: Release): Said {
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

function statusOf(release: Release, parts: CloseParts): JsonObject {
  const { sight, counts, findings, oldest } = release;
  const { workload, updateRevision } = sight;
  return withoutNothing({
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
    preDeleteHookCondition: listOrNothing(openQuestions(release, 'pre-delete')),
    preInplaceHookCondition: listOrNothing(openQuestions(release, 'pre-inplace')),
    postInplaceHookCondition: listOrNothing(findings.entries['post-inplace']),
    ...standingStatus(release, parts.isScaling),
  });
}

/** Pods that wait for an answer, also those whose turn it was not at this look. */
function openQuestions(
  { findings, hooks, views, target }: Release,
  point: PodHookPoint,
): readonly PodHookEntry[] {
  const told = findings.entries[point];
  const others = views.flatMap((view) => {
    const isOpen = view.leaving !== undefined || view.revision !== nameOf(target);
    const entry = isOpen ? hooks.entryFor(point, view) : undefined;
    return entry === undefined || findings.isWaiting(point, entry.podName) ? [] : [entry];
  });
  return others.length === 0 ? told : [...told, ...others];
}

function stepStatus({ steps, stepRun, spec }: Release): Readonly<Record<string, Json | undefined>> {
  const { stepIndex, stepHash, stableRevision, abortedRevision, pauses, releaseId, walked } = steps;
  const canary = withoutNothing({
    revision: stableRevision,
    currentStepHookRun: stepRun,
    abortedRevision,
    releaseID: releaseId,
    walkedSteps: walked === undefined ? undefined : listOrNothing(walked),
  });
  return {
    currentStepIndex: stepIndex,
    currentStepHash: stepHash,
    canary: Object.keys(canary).length === 0 ? undefined : canary,
    pauseConditions: listOrNothing(pauses),
    step: stepIndex === undefined ? undefined : `${stepIndex}/${spec.steps?.length ?? 0}`,
  };
}

const listOrNothing = (list: readonly (object | string)[]): Json | undefined =>
  list.length === 0 ? undefined : (list as unknown as Json);

function withoutNothing(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
