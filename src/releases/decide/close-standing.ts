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

/** With OnDelete it is people who update. Those that a step or the partition keeps come back as they were. */
function holdForDeletion({ spec, steps, views, target, partition, instanceOf, findings }: Release): void {
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
  findings.hold({
    reason: 'WaitingForDeletion',
    message: `${lead}${howMany(due)}, as updateStrategy.type is OnDelete: ${what}.${kept}`,
  });
}

const howMany = (count: number): string =>
  count === 1
    ? '1 pod keeps its revision until somebody deletes it'
    : `${count} pods keep their revision until somebody deletes them`;

const ordinalOf = (instance: string): number => (/^\d+$/.test(instance) ? Number(instance) : 0);

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
