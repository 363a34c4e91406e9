import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { countPods, type Counts } from './counts.ts';
import { workloadDeletionOf, type WorkloadDeletion } from './workload-deletion.ts';
import { blockerPart, noPart, type DecisionPart } from './decision-draft.ts';
import { partitionAtStep } from './steps/partition.ts';
import { earlier, PodHooks } from './pod-hooks.ts';
import { isInServiceFor, isScaledDown, releasePodOf, type ReleasePod } from './pod-view.ts';
import { isStillPaused } from './own-resume.ts';
import type { ReleaseSpec } from './release-spec.ts';
import { byName, currentRevision } from './revision-view.ts';
import type { WorkloadSnapshot } from './snapshot.ts';
import { pendingAct } from './acts/pending-act.ts';
import { skipsHook } from './steps/promotion.ts';
import { decideStepHook, type StepHookDecision } from './steps/step-hook-run.ts';
import { hashOf, startOf } from './steps/release-start.ts';
import { decideSteps } from './steps/decide-steps.ts';
import { stepsBefore } from './steps/steps-before.ts';
import type { StepsBefore, StepsDecision, StepsGiven } from './steps/steps-model.ts';
import { frozenSteps } from './steps/user-pause.ts';
import type { RecordedVerdict } from '#releases/kinds/release-history.ts';
import { actTargetOf, isSameTarget } from '#releases/model/act.ts';

/** A release of either kind of workload. */
export type Release = {
  readonly snapshot: WorkloadSnapshot;
  readonly spec: ReleaseSpec;
  readonly views: readonly ReleasePod[];
  readonly instanceOf: (pod: ReleasePod) => string;
  readonly revisions: ReadonlyMap<string, KubeObject>;
  /** The last revision that all pods had. Undefined: there are none, and no record of it. */
  readonly current: KubeObject | undefined;
  /** The revision that pods are updated to: the update revision, or the stable one after an abort. */
  readonly target: KubeObject;
  /** Number of pods that stay on other revisions. */
  readonly partition: number;
  /** No pod is updated at this reconcile. */
  readonly isHeld: boolean;
  readonly counts: Counts;
  readonly steps: StepsDecision;
  readonly stepRun: string | undefined;
  /** The state of the steps in the status. */
  readonly before: StepsBefore;
  /** The verdict of the hook of the current step, for the history. */
  readonly verdict: RecordedVerdict | undefined;
  readonly hooks: PodHooks;
  /** What the canary steps contribute to the decision. */
  readonly stepPart: DecisionPart;
  /** How its pods are deleted when the workload is being deleted. */
  readonly deletion: WorkloadDeletion;
};

export type ReleaseParts = {
  readonly instanceOf: (pod: ReleasePod) => string;
  /** Pods that count for steps and as replicas. Default: all. */
  readonly isCounted?: (pod: ReleasePod) => boolean;
};

/** Decides the canary steps, and from them the target revision and the partition. */
export function assessRelease(
  snapshot: WorkloadSnapshot,
  spec: ReleaseSpec,
  { instanceOf, isCounted }: ReleaseParts,
): Release {
  const { workload, updateRevision, now } = snapshot;
  const views = snapshot.pods.map(releasePodOf);
  const revisions = byName(snapshot.revisions);
  const stepViews = isCounted === undefined ? views : views.filter(isCounted);
  const staying = stepViews.filter((view) => view.isActive && !isScaledDown(view)).length;
  const pods = views.filter(({ isActive }) => isActive);
  const all = { pods, staying, replicas: spec.replicas, isBehind: snapshot.isBehind === true };
  const current = currentRevision(workload, all, revisions);
  const revision = nameOf(updateRevision);
  const counts = countPods(views, revision, spec.minReadySeconds, now);
  const counted = stepViews === views ? counts : countPods(stepViews, revision, spec.minReadySeconds, now);
  const { steps, run, verdict, before, part } = walk(snapshot, spec, {
    current,
    updatedUnready: countUnready(snapshot, spec, stepViews),
    updatedReady: inPlaceOfOld(views, counted.updatedAvailable, { revision, replicas: spec.replicas }),
  });
  // The partition of a new step is in use once the status is written, except after a restart of the steps.
  const isFresh = steps.isReset || before.updateRevision === undefined;
  const stepIndex = isFresh ? steps.stepIndex : before.stepIndex;
  const isAborted = steps.abortedRevision === revision;
  const stable = revisions.get(steps.stableRevision ?? '');
  return {
    snapshot,
    spec,
    views,
    instanceOf,
    revisions,
    current,
    target: isAborted && stable !== undefined ? stable : updateRevision,
    partition: isAborted ? 0 : partitionNow(spec, stepIndex),
    isHeld: isHeld(steps, spec) || isDeleting(workload),
    counts,
    steps,
    stepRun: run,
    before,
    verdict,
    deletion: workloadDeletionOf(snapshot, spec.preDelete),
    hooks: podHooksOf(snapshot, instanceOf),
    stepPart: part,
  };
}

/** A pause of a step holds pods back also where `paused: false` in the spec is ignored. */
const isHeld = ({ isReset, pauses, paused }: StepsDecision, spec: ReleaseSpec): boolean =>
  isReset || paused || pauses.length > 0 || spec.paused;

const podHooksOf = (
  { workload, runs, isRunName, template, now }: WorkloadSnapshot,
  instanceOf: ReleaseParts['instanceOf'],
): PodHooks => new PodHooks({ workload, runs, isTaken: isRunName, template, instanceOf, now });

/**
 * Number of updated pods that have replaced old ones. Pods of the surge do not count: a step that ended because of them
 * would leave more old pods than its partition. Pods deleted by scaling do not count either.
 */
function inPlaceOfOld(
  views: readonly ReleasePod[],
  updatedReady: number,
  { revision, replicas }: { readonly revision: string; readonly replicas: number },
): number {
  const old = views.filter(
    (view) => view.isActive && view.revision !== revision && !isScaledDown(view),
  ).length;
  return Math.max(0, Math.min(updatedReady, replicas - old));
}

/** Number of updated pods that are not available and are not scaled down. */
function countUnready(
  { updateRevision, now }: WorkloadSnapshot,
  { minReadySeconds }: ReleaseSpec,
  views: readonly ReleasePod[],
): number {
  return views.filter(
    (view) =>
      view.isActive &&
      view.revision === nameOf(updateRevision) &&
      !isScaledDown(view) &&
      !isInServiceFor(view, minReadySeconds, now),
  ).length;
}

function partitionNow({ steps, partition, replicas }: ReleaseSpec, stepIndex: number | undefined): number {
  return steps === undefined ? partition : partitionAtStep(steps, stepIndex ?? steps.length, replicas);
}

type Walked = {
  readonly steps: StepsDecision;
  readonly run: string | undefined;
  readonly verdict: RecordedVerdict | undefined;
  readonly before: StepsBefore;
  readonly part: DecisionPart;
};
type WalkGiven = {
  readonly current: KubeObject | undefined;
  readonly updatedReady: number;
  readonly updatedUnready: number;
};

function walk(snapshot: WorkloadSnapshot, spec: ReleaseSpec, given: WalkGiven): Walked {
  const { current, updatedReady, updatedUnready } = given;
  const { workload, now } = snapshot;
  const before = stepsBefore(workload);
  const updateRevision = nameOf(snapshot.updateRevision);
  const podsRevision = current === undefined ? undefined : nameOf(current);
  const act = pendingAct(workload);
  const hook = stepHook(snapshot, spec, { before, podsRevision, isActing: act !== undefined });
  const asked: StepsGiven = {
    before,
    steps: spec.steps,
    replicas: spec.replicas,
    paused: isStillPaused(workload, {
      paused: spec.paused,
      isPausedInStatus: before.pauses.length > 0,
    }),
    needsApproval: spec.needsApproval,
    updateRevision,
    podsRevision,
    updatedReady,
    updatedUnready,
    isHeldByUnready: spec.isHeldByUnready,
    run: hook.run,
    act,
    isActMeant: act?.type === 'act' && isSameTarget(act.act.target, actTargetOf(workload)),
    now,
  };
  // The garbage collector may delete the HookRun of the step: it is not asked again, and no step ends.
  if (isDeleting(workload))
    return { steps: frozenSteps(asked), run: hook.current, verdict: undefined, before, part: noPart };
  const steps = decideSteps(asked);
  const isMoved = steps.stepIndex !== before.stepIndex || steps.isReset || steps.retries !== before.retries;
  const part = {
    ...blockerPart(steps.blocker),
    actions: hook.actions,
    wakeAt: earlier(hook.wakeAt, steps.wakeAt),
  };
  return { steps, run: isMoved ? undefined : hook.current, verdict: hook.verdict, before, part };
}

type StepHookState = {
  readonly before: StepsBefore;
  readonly podsRevision: string | undefined;
  /** A request of a user is applied at this reconcile. */
  readonly isActing: boolean;
};

const isWalking = ({ stepIndex }: StepsBefore, { steps = [] }: ReleaseSpec): boolean =>
  stepIndex !== undefined && stepIndex < steps.length;

/** The HookRun of the current step, and what happens to those of other steps and releases. */
function stepHook(
  snapshot: WorkloadSnapshot,
  spec: ReleaseSpec,
  { before, podsRevision, isActing }: StepHookState,
): StepHookDecision {
  const { workload, now } = snapshot;
  const updateRevision = nameOf(snapshot.updateRevision);
  const start = startOf({ before, steps: spec.steps, updateRevision, podsRevision });
  const isAborted = before.abortedRevision === updateRevision;
  const isTakenOver = start?.isTakenOver === true;
  const isIdle = (start !== undefined && !isTakenOver) || isAborted || skipsHook(before);
  return decideStepHook({
    workload,
    steps: spec.steps,
    stepHash: hashOf(spec.steps),
    releaseId: before.releaseId,
    retries: before.retries,
    stepIndex: isIdle ? undefined : before.stepIndex,
    isOver: isAborted || !isWalking(before, spec),
    isRecorded: start === undefined,
    updateRevision,
    stableRevision: before.stableRevision,
    isPaused: isActing || isTakenOver || spec.paused || before.pauses.length > 0,
    runs: snapshot.runs,
    kept: spec.keptRuns,
    isTaken: snapshot.isRunName,
    template: snapshot.template,
    hostIP: snapshot.hostIP,
    now,
  });
}
