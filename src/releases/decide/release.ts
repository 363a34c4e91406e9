import { at, listAt, numberAt, textAt } from '#base/json.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { countPods, type Counts } from './counts.ts';
import { departureOf, type Departure } from './departure.ts';
import { Findings } from './findings.ts';
import { partitionAtStep } from './partition.ts';
import type { PauseCondition } from './pause.ts';
import { PodHooks } from './pod-hooks.ts';
import { isInServiceFor, isLeavingByScale, viewOf, type PodView } from './pod-view.ts';
import type { ReleaseSpec } from './release-spec.ts';
import { byName, oldestRevision } from './revision-view.ts';
import type { Sight } from './sight.ts';
import { stepHashOf } from './step-hash.ts';
import { decideStepHook } from './step-hook.ts';
import { startOf } from './release-start.ts';
import { decideSteps } from './steps.ts';
import type { StepsBefore, StepsDecision } from './steps-model.ts';

/** A release as far as it does not matter which workload it is. */
export type Release = {
  readonly sight: Sight;
  readonly spec: ReleaseSpec;
  readonly views: readonly PodView[];
  readonly instanceOf: (pod: PodView) => string;
  readonly revisions: ReadonlyMap<string, KubeObject>;
  readonly oldest: KubeObject | undefined;
  /** Pods are brought to this revision: the update revision, or the stable one after an abort. */
  readonly target: KubeObject;
  /** How many pods stay away from it. */
  readonly partition: number;
  /** No pod is brought to another revision at this look. */
  readonly isHeld: boolean;
  readonly counts: Counts;
  readonly steps: StepsDecision;
  readonly stepRun: string | undefined;
  readonly hooks: PodHooks;
  readonly findings: Findings;
  /** How its pods go when it is being deleted. */
  readonly departure: Departure;
};

export type ReleaseParts = {
  readonly instanceOf: (pod: PodView) => string;
  /** Pods that count towards steps; all unless given. */
  readonly isCounted?: (pod: PodView) => boolean;
};

/** Opens a look at a release: where its steps stand, and what that means for pods. */
export function openRelease(
  sight: Sight,
  spec: ReleaseSpec,
  { instanceOf, isCounted }: ReleaseParts,
): Release {
  const { workload, updateRevision, now } = sight;
  const views = sight.pods.map(viewOf);
  const revisions = byName(sight.revisions);
  const oldest = oldestRevision(views, revisions);
  const revision = nameOf(updateRevision);
  const counts = countPods(views, revision, spec.minReadySeconds, now);
  const counted =
    isCounted === undefined
      ? counts
      : countPods(views.filter(isCounted), revision, spec.minReadySeconds, now);
  const findings = new Findings();
  const { steps, run, before } = walk(sight, spec, {
    oldest,
    updatedUnready: countUnready(
      sight,
      spec,
      views.filter((view) => isCounted?.(view) !== false),
    ),
    updatedReady: inPlaceOfOld(views, counted.updatedAvailable, { revision, replicas: spec.replicas }),
    findings,
  });
  // A step counts for pods from the look after the one that reached it; a fresh start counts at once.
  const isFresh = steps.isReset || before.updateRevision === undefined;
  const stepIndex = isFresh ? steps.stepIndex : before.stepIndex;
  const isAborted = steps.abortedRevision === revision;
  const stable = revisions.get(steps.stableRevision ?? '');
  return {
    sight,
    spec,
    views,
    instanceOf,
    revisions,
    oldest,
    target: isAborted && stable !== undefined ? stable : updateRevision,
    partition: isAborted ? 0 : partitionNow(spec, stepIndex),
    isHeld: steps.isReset || steps.paused || spec.paused || isDeleting(workload),
    counts,
    steps,
    stepRun: run,
    departure: departureOf(sight, spec.preDelete),
    hooks: podHooksOf(sight, instanceOf),
    findings,
  };
}

const podHooksOf = (
  { workload, runs, isRunName, template, now }: Sight,
  instanceOf: ReleaseParts['instanceOf'],
): PodHooks => new PodHooks({ workload, runs, isTaken: isRunName, template, instanceOf, now });

/**
 * Updated pods that have taken the place of old ones. Pods of a surge have not yet: a step that ended by them would
 * leave more old pods than it says. Those on their way out by scaling take no place.
 */
function inPlaceOfOld(
  views: readonly PodView[],
  updatedReady: number,
  { revision, replicas }: { readonly revision: string; readonly replicas: number },
): number {
  const old = views.filter(
    (view) => view.isActive && view.revision !== revision && !isLeavingByScale(view),
  ).length;
  return Math.max(0, Math.min(updatedReady, replicas - old));
}

/** Updated pods that stay and are not ready, or not for long enough. */
function countUnready(
  { updateRevision, now }: Sight,
  { minReadySeconds }: ReleaseSpec,
  views: readonly PodView[],
): number {
  return views.filter(
    (view) =>
      view.isActive &&
      view.revision === nameOf(updateRevision) &&
      !isLeavingByScale(view) &&
      !isInServiceFor(view, minReadySeconds, now),
  ).length;
}

function partitionNow({ steps, partition, replicas }: ReleaseSpec, stepIndex: number | undefined): number {
  return steps === undefined ? partition : partitionAtStep(steps, stepIndex ?? steps.length, replicas);
}

type Walked = {
  readonly steps: StepsDecision;
  readonly run: string | undefined;
  readonly before: StepsBefore;
};
type WalkGiven = {
  readonly oldest: KubeObject | undefined;
  readonly updatedReady: number;
  readonly updatedUnready: number;
  readonly findings: Findings;
};

function walk(sight: Sight, spec: ReleaseSpec, given: WalkGiven): Walked {
  const { oldest, updatedReady, updatedUnready, findings } = given;
  const { workload, now } = sight;
  const before = beforeOf(workload);
  const updateRevision = nameOf(sight.updateRevision);
  const stepHash = spec.steps === undefined ? undefined : stepHashOf(spec.steps);
  const podsRevision = oldest === undefined ? undefined : nameOf(oldest);
  const start = startOf({ before, steps: spec.steps, updateRevision, podsRevision });
  const isAborted = before.abortedRevision === updateRevision;
  const hook = decideStepHook({
    workload,
    steps: spec.steps,
    stepHash,
    releaseId: before.releaseId,
    stepIndex: start !== undefined || isAborted ? undefined : before.stepIndex,
    updateRevision,
    stableRevision: before.stableRevision,
    isPaused: spec.paused || before.pauses.length > 0,
    runs: sight.runs,
    isTaken: sight.isRunName,
    template: sight.template,
    hostIP: sight.hostIP,
    now,
  });
  findings.act(...hook.acts);
  findings.wake(hook.wakeAt);
  const steps = decideSteps({
    before,
    steps: spec.steps,
    replicas: spec.replicas,
    paused: spec.paused,
    updateRevision,
    podsRevision,
    updatedReady,
    updatedUnready,
    isHeldByUnready: spec.isHeldByUnready,
    run: hook.run,
    now,
  });
  findings.hold(steps.hold);
  findings.wake(steps.wakeAt);
  const isMoved = steps.stepIndex !== before.stepIndex || steps.isReset;
  return { steps, run: isMoved ? undefined : hook.current, before };
}

/** What the status said of the release at the last look. */
function beforeOf(workload: KubeObject): StepsBefore {
  const text = (...path: readonly string[]): string | undefined => {
    const found = textAt(workload, 'status', ...path);
    return found === '' ? undefined : found;
  };
  return {
    updateRevision: text('updateRevision'),
    stepIndex: numberAt(workload, 'status', 'currentStepIndex'),
    stepHash: text('currentStepHash'),
    walked: walkedOf(workload),
    releaseId: text('canary', 'releaseID'),
    stableRevision: text('canary', 'revision'),
    abortedRevision: text('canary', 'abortedRevision'),
    pauses: listAt(workload, 'status', 'pauseConditions').map((each): PauseCondition => {
      const startTime = at(each, 'startTime');
      const reason = textAt(each, 'reason') ?? '';
      return typeof startTime === 'string' ? { reason, startTime } : { reason };
    }),
  };
}

/** Undefined when an earlier version wrote the status. */
function walkedOf(workload: KubeObject): readonly string[] | undefined {
  const walked = at(workload, 'status', 'canary', 'walkedSteps');
  return Array.isArray(walked) ? walked.filter((hash) => typeof hash === 'string') : undefined;
}
