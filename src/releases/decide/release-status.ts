import { textAt, type JsonObject } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import {
  conditionsFor,
  isAlarming,
  releaseStateOf,
  withHookCheck,
  withFailure,
  type ReleaseState,
} from './conditions.ts';
import { checkHooks } from './hook-check.ts';
import { unreadyCause } from './unready-cause.ts';
import { progressOf, progressReason } from './progress.ts';
import type { BlockerReason } from './blocker.ts';
import type { Release } from './release.ts';

/** How it stands, in words for people and programs. */
export function releaseStatus(release: Release, isScaling: boolean): JsonObject {
  const { snapshot, spec, counts, steps, draft } = release;
  const { workload, now } = snapshot;
  deletionBlocker(release);
  const isComplete = !isScaling && isDone(release);
  const { lastProgressTime, isOverdue, wakeAt } = progressOf({
    workload,
    updateRevision: nameOf(snapshot.updateRevision),
    counts,
    hasMoved: steps.movedTo !== undefined,
    isIdle: isComplete || steps.pauses.length > 0 || isLeftToPeople(release),
    deadlineSeconds: spec.progressDeadlineSeconds,
    now,
  });
  draft.wake(wakeAt);
  draft.wake(counts.nextAvailable);
  const inService = `${counts.available} of ${spec.replicas} pods are in service.`;
  const standing = releaseStateOf({
    blockers: draft.blockers,
    pauses: steps.pauses,
    isComplete,
    isOverdue,
    ...sentences(release, inService),
  });
  alarm(release, standing);
  const conditions = conditionsFor(workload, {
    standing,
    isAvailable: counts.available >= spec.replicas - spec.maxUnavailable,
    isHealthy: counts.available >= spec.replicas && standing.phase !== 'Blocked',
    inService,
    now,
  });
  const failed = draft.blockers.find(({ reason }) => failures.has(reason));
  const checked = withHookCheck(conditions, checkHooks(snapshot, spec), now);
  return {
    lastProgressTime,
    phase: standing.phase,
    message: standing.message,
    conditions: withFailure({ status: { conditions: checked } }, 'FailedUpdate', failed, now),
  };
}

/** Updates that were tried and cannot be made. */
const failures: ReadonlySet<BlockerReason> = new Set([
  'InPlaceImpossible',
  'InPlaceUpdateStuck',
  'HotPatchUnsupported',
]);

/** What no patience will mend becomes a Warning, once for each sentence. */
function alarm({ snapshot, draft }: Release, { blocker }: ReleaseState): void {
  if (blocker === undefined || !isAlarming(blocker.reason)) return;
  // Whoever found this one has told it under a name of its own.
  if (blocker.reason === 'InPlaceImpossible') return;
  if (textAt(snapshot.workload, 'status', 'message') === blocker.message) return;
  // What is overdue stays so while pods come and go.
  if (blocker.reason === 'ProgressDeadlineExceeded' && progressReason(snapshot.workload) === blocker.reason)
    return;
  draft.say({ type: 'Warning', ...blocker });
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

/** With OnDelete it is people who update. Those that a step or the partition keeps come back as they were. */
function deletionBlocker({ spec, steps, views, target, partition, instanceOf, draft }: Release): void {
  if (spec.type !== 'OnDelete') return;
  const old = views.filter(({ isActive, revision }) => isActive && revision !== nameOf(target));
  const due = old.length - partition;
  // Ordinals below the partition are kept, so the highest is due first.
  const [first] = old.toSorted((a, b) => ordinalOf(instanceOf(b)) - ordinalOf(instanceOf(a)));
  if (first === undefined || due <= 0) return;
  const what = `delete pod ${first.facts.name}, or choose another type`;
  const step = `Step ${(steps.stepIndex ?? 0) + 1} of ${spec.steps?.length ?? 0}`;
  const keeper = spec.steps === undefined ? 'the partition' : 'the step';
  const kept =
    partition === 0
      ? ''
      : ` The other ${partition} stay: ${keeper} keeps them, also when somebody deletes them.`;
  const lead = spec.steps === undefined || partition === 0 ? '' : `${step}: `;
  draft.blocker({
    reason: 'WaitingForDeletion',
    message: `${lead}${howMany(due)}, as updateStrategy.type is OnDelete: ${what}.${kept}`,
  });
}

const howMany = (count: number): string =>
  count === 1
    ? '1 pod keeps its revision until somebody deletes it'
    : `${count} pods keep their revision until somebody deletes them`;

const ordinalOf = (instance: string): number => (/^\d+$/.test(instance) ? Number(instance) : 0);

const isLeftToPeople = ({ draft }: Release): boolean =>
  draft.blockers.some(({ reason }) => reason === 'WaitingForDeletion');

/** Every pod that shall have the target revision has it and is in service, and no step is left. */
function isDone({ counts, spec, steps, partition, snapshot, target }: Release): boolean {
  // The look that leaves the last step still kept pods back: they are due from now on.
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
