import { textAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { EventNote } from '#releases/model/action.ts';
import { earlier } from './pod-hooks.ts';
import {
  conditionsFor,
  isAlarming,
  isFailed,
  releaseStateOf,
  withHookCheck,
  withFailure,
  type ReleasePhase,
  type ReleaseState,
} from './conditions.ts';
import { checkHooks } from './hook-check.ts';
import { stepName } from './steps/step-outcome.ts';
import { unreadyCause } from './unready-cause.ts';
import { progressOf, progressReason } from './progress.ts';
import type { Blocker, BlockerReason } from '#releases/model/blocker.ts';
import type { Release } from './release.ts';

export type ReleaseStatus = {
  readonly status: JsonObject;
  readonly notes: readonly EventNote[];
  readonly wakeAt: Instant | undefined;
  readonly isComplete: boolean;
  readonly message: string;
};

/** The phase, the message and the conditions of a release. */
export function releaseStatus(
  release: Release,
  blockers: readonly Blocker[],
  isScaling: boolean,
): ReleaseStatus {
  const { snapshot, spec, counts, steps } = release;
  const { workload, now } = snapshot;
  const isComplete = !isScaling && isDone(release);
  const isLeftToUsers = blockers.some(({ reason }) => reason === 'WaitingForDeletion');
  const { lastProgressTime, isOverdue, wakeAt } = progressOf({
    workload,
    updateRevision: nameOf(snapshot.updateRevision),
    counts,
    hasMoved: steps.movedTo !== undefined,
    isIdle: isComplete || steps.pauses.length > 0 || isLeftToUsers,
    deadlineSeconds: spec.progressDeadlineSeconds,
    now,
  });
  const inService = `${counts.available} of ${spec.replicas} pods are in service.`;
  const state = releaseStateOf({
    blockers,
    pauses: steps.pauses,
    isComplete,
    isOverdue,
    ...sentences(release, inService),
  });
  const conditions = conditionsFor(workload, {
    state,
    isAvailable: counts.available >= spec.replicas - spec.maxUnavailable,
    isHealthy: counts.available >= spec.replicas && !isFailed(state),
    inService,
    now,
  });
  const failed = blockers.find(({ reason }) => failures.has(reason));
  const checked = withHookCheck(conditions, checkHooks(snapshot, spec), now);
  const status = {
    lastProgressTime,
    phase: state.phase,
    reason: state.blocker?.reason ?? ownReasons[state.phase],
    message: state.message,
    conditions: withFailure({ status: { conditions: checked } }, 'FailedUpdate', failed, now),
  };
  return {
    status,
    notes: warnings(workload, state),
    wakeAt: earlier(wakeAt, counts.nextAvailable),
    isComplete,
    message: state.message,
  };
}

/** The reason of a phase that nothing blocks. */
const ownReasons: Readonly<Record<ReleasePhase, string>> = {
  Progressing: 'UpdatingPods',
  Complete: 'AllPodsUpdated',
  Paused: 'Paused',
  Blocked: 'Blocked',
};

/** Reasons of the condition FailedUpdate. */
const failures: ReadonlySet<BlockerReason> = new Set([
  'InPlaceImpossible',
  'InPlaceUpdateStuck',
  'HotPatchUnsupported',
]);

/** A state that needs a user becomes a Warning event, once for each message. */
function warnings(workload: KubeObject, { blocker }: ReleaseState): readonly EventNote[] {
  if (blocker === undefined || !isAlarming(blocker.reason)) return [];
  // This one has an event of its own, with a more specific reason.
  if (blocker.reason === 'InPlaceImpossible') return [];
  if (textAt(workload, 'status', 'message') === blocker.message) return [];
  // The message of an overdue release changes with every pod.
  if (blocker.reason === 'ProgressDeadlineExceeded' && progressReason(workload) === blocker.reason) return [];
  return [{ type: 'Warning', ...blocker }];
}

function sentences(
  { counts, spec, partition, snapshot, views }: Release,
  inService: string,
): { readonly done: string; readonly moving: string; readonly cause: string | undefined } {
  const revision = nameOf(snapshot.updateRevision);
  const kept = counts.replicas - counts.updated;
  const why = kept > 0 && partition > 0 ? ` The partition (${partition}) keeps the others as they are.` : '';
  return {
    done: `Complete: ${counts.updated} of ${counts.replicas} pods are of revision ${revision}.${why} ${inService}`,
    moving: `Updating: ${counts.updatedReady} of ${spec.replicas - partition} pods of revision ${revision} are in service.`,
    cause: unreadyCause(views),
  };
}

/** With OnDelete users delete pods to update them. Those that a step or the partition keeps are not due. */
export function deletionBlockers(release: Release): readonly Blocker[] {
  const { spec, steps, views, target, partition, instanceOf } = release;
  if (spec.type !== 'OnDelete') return [];
  const old = views.filter(({ isActive, revision }) => isActive && revision !== nameOf(target));
  const due = old.length - partition;
  // Ordinals below the partition are kept, so the highest is due first.
  const [first] = old.toSorted(
    (a, b) => ordinalOf(instanceOf(b)) - ordinalOf(instanceOf(a)) || (a.facts.name < b.facts.name ? -1 : 1),
  );
  if (first === undefined || due <= 0) return [];
  const what = `delete pod ${first.facts.name}, or choose another type`;
  const step = stepName({ before: steps, steps: spec.steps });
  const keeper = spec.steps === undefined ? 'the partition' : 'the step';
  const kept =
    partition === 0
      ? ''
      : ` The other ${partition} stay: ${keeper} keeps them, also when a user deletes them.`;
  const lead = spec.steps === undefined || partition === 0 ? '' : `${step}: `;
  const message = `${lead}${howMany(due)}, as updateStrategy.type is OnDelete: ${what}.${kept}`;
  return [{ reason: 'WaitingForDeletion', message }];
}

const howMany = (count: number): string =>
  count === 1
    ? '1 pod keeps its revision until a user deletes it'
    : `${count} pods keep their revision until a user deletes them`;

const ordinalOf = (instance: string): number => (/^\d+$/.test(instance) ? Number(instance) : 0);

/** No step is left, and every pod that is due has the target revision and is available. */
function isDone({ counts, spec, steps, partition, snapshot, target }: Release): boolean {
  // The partition of the last step is still in use when the release leaves it: those pods are due now.
  const wanted = spec.replicas - (spec.steps === undefined ? partition : 0);
  const isLastStep = spec.steps === undefined || steps.stepIndex === spec.steps.length;
  return (
    isLastStep &&
    nameOf(target) === nameOf(snapshot.updateRevision) &&
    counts.replicas === spec.replicas &&
    counts.updated >= wanted &&
    counts.updatedAvailable >= wanted &&
    counts.available >= spec.replicas
  );
}
