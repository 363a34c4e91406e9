import { textAt, type JsonObject } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import {
  conditionsFor,
  isAlarming,
  standingOf,
  withHookCheck,
  withTrouble,
  type Standing,
} from './conditions.ts';
import { checkHooks } from './hook-check.ts';
import { outOfService } from './out-of-service.ts';
import { progressOf, progressReason } from './progress.ts';
import type { HoldReason } from './reasons.ts';
import type { Release } from './release.ts';

/** How it stands, in words for people and programs. */
export function standingStatus(release: Release, isScaling: boolean): JsonObject {
  const { sight, spec, counts, steps, findings } = release;
  const { workload, now } = sight;
  holdForDeletion(release);
  const isComplete = !isScaling && isDone(release);
  const { lastProgressTime, isOverdue, wakeAt } = progressOf({
    workload,
    updateRevision: nameOf(sight.updateRevision),
    counts,
    hasMoved: steps.movedTo !== undefined,
    isIdle: isComplete || steps.pauses.length > 0 || isLeftToPeople(release),
    deadlineSeconds: spec.progressDeadlineSeconds,
    now,
  });
  findings.wake(wakeAt);
  findings.wake(counts.nextAvailable);
  const inService = `${counts.available} of ${spec.replicas} pods are in service.`;
  const standing = standingOf({
    holds: findings.holds,
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
  const failed = findings.holds.find(({ reason }) => failures.has(reason));
  const checked = withHookCheck(conditions, checkHooks(sight, spec), now);
  return {
    lastProgressTime,
    phase: standing.phase,
    message: standing.message,
    conditions: withTrouble({ status: { conditions: checked } }, 'FailedUpdate', failed, now),
  };
}

/** Updates that were tried and cannot be made. */
const failures: ReadonlySet<HoldReason> = new Set([
  'InPlaceImpossible',
  'InPlaceUpdateStuck',
  'HotPatchUnsupported',
]);

/** What no patience will mend becomes a Warning, once for each sentence. */
function alarm({ sight, findings }: Release, { hold }: Standing): void {
  if (hold === undefined || !isAlarming(hold.reason)) return;
  // Whoever found this one has told it under a name of its own.
  if (hold.reason === 'InPlaceImpossible') return;
  if (textAt(sight.workload, 'status', 'message') === hold.message) return;
  // What is overdue stays so while pods come and go.
  if (hold.reason === 'ProgressDeadlineExceeded' && progressReason(sight.workload) === hold.reason) return;
  findings.say({ type: 'Warning', ...hold });
}

function sentences(
  { counts, spec, partition, sight, views }: Release,
  inService: string,
): { readonly done: string; readonly moving: string; readonly cause: string | undefined } {
  const revision = nameOf(sight.updateRevision);
  const kept = counts.replicas - counts.updated;
  const why = kept > 0 && partition > 0 ? ` The partition (${partition}) keeps the others as they are.` : '';
  return {
    done: `Complete: ${counts.updated} of ${counts.replicas} pods are of revision ${revision}.${why} ${inService}`,
    moving: `Updating: ${counts.updatedReady} of ${spec.replicas - partition} pods of revision ${revision} are in service.`,
    cause: outOfService(views),
  };
}

/** With OnDelete it is people who update. */
function holdForDeletion({ spec, views, target, findings }: Release): void {
  if (spec.type !== 'OnDelete') return;
  const old = views.filter(({ isActive, revision }) => isActive && revision !== nameOf(target));
  const [first] = old;
  if (first === undefined) return;
  findings.hold({
    reason: 'WaitingForDeletion',
    message: `${old.length} pods keep their revision until somebody deletes them, as updateStrategy.type is OnDelete: delete pod ${first.facts.name}, or choose another type.`,
  });
}

const isLeftToPeople = ({ findings }: Release): boolean =>
  findings.holds.some(({ reason }) => reason === 'WaitingForDeletion');

/** Every pod that shall have the target revision has it and is in service, and no step is left. */
function isDone({ counts, spec, steps, partition, sight, target }: Release): boolean {
  // The look that leaves the last step still kept pods back: they are due from now on.
  const wanted = spec.replicas - (spec.steps === undefined ? partition : 0);
  const isLastStep = spec.steps === undefined || steps.stepIndex === spec.steps.length;
  return (
    isLastStep &&
    nameOf(target) === nameOf(sight.updateRevision) &&
    counts.replicas === spec.replicas &&
    counts.updated >= wanted &&
    counts.updatedAvailable >= wanted &&
    counts.available >= spec.replicas
  );
}
