import { formatDuration } from '#base/duration.ts';
import { numberAt, textAt } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { isBad, isGood, phaseOf } from '#hooks/decide/run-phase.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { isStoppedByController } from '#releases/decide/steps/end-runs.ts';
import { keptOld } from '#releases/decide/steps/partition.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { readStep } from '#releases/model/read.ts';
import { originOf } from '#releases/model/run-labels.ts';
import { canaryStepsOf, lastRecordOf, stepIndexOf } from './read-workload.ts';
import { pauseEnd } from './release-verdict.ts';

/** `skipped`: the release is past its hook, which has not passed. `failed`: its hook has failed, or the release was aborted at it. */
export type StepState = 'done' | 'current' | 'failed' | 'skipped' | 'to come';

/** A canary step on the way of a release. */
export type StepView = {
  /** From 1. */
  readonly number: number;
  readonly type: CanaryStep['type'];
  /** `partition 3`, `pause 1m`, `hook smoke-test`. */
  readonly title: string;
  readonly state: StepState;
  /** Of the current pause, if it ends by itself: RFC 3339. */
  readonly endsAt?: string;
  /** Of a partition step: pods of the new revision that must be in service. */
  readonly target?: number;
  /** Of a hook step of this release: its HookRun. */
  readonly hookRun?: { readonly name: string; readonly phase: string };
};

/** The steps of a workload. `runs`: its HookRuns. */
export function stepTrack(workload: KubeObject, runs: readonly KubeObject[]): readonly StepView[] {
  const ofSteps = runsByStep(workload, runs);
  return canaryStepsOf(workload).map((spec, index) => {
    const step = readStep(spec);
    const run = ofSteps.get(index);
    const end = index === stepIndexOf(workload) ? pauseEnd(workload, step) : undefined;
    return {
      number: index + 1,
      type: step.type,
      title: stepTitle(step),
      state: stateOf(workload, { step, index, run }),
      ...(end === undefined ? {} : { endsAt: formatTime(end) }),
      ...(step.type === 'partition' ? { target: targetOf(workload, step.partition) } : {}),
      ...(run === undefined ? {} : { hookRun: { name: nameOf(run), phase: phaseOf(run) || 'Pending' } }),
    };
  });
}

function stepTitle(step: CanaryStep): string {
  switch (step.type) {
    case 'partition':
      return `partition ${step.partition}`;
    case 'pause':
      return step.duration === undefined ? 'pause' : `pause ${formatDuration(step.duration)}`;
    case 'hook':
      return `hook ${step.hook.templateName}`;
    case 'unknown':
      return step.fields.length === 0 ? 'empty step' : step.fields.join('+');
  }
}

function targetOf(workload: KubeObject, partition: number | string): number {
  const replicas = numberAt(workload, 'spec', 'replicas') ?? 1;
  return replicas - keptOld(partition, replicas);
}

/** The newest HookRun of each step of this walk through the steps. */
function runsByStep(workload: KubeObject, runs: readonly KubeObject[]): ReadonlyMap<number, KubeObject> {
  const release = textAt(workload, 'status', 'canary', 'releaseID') ?? '';
  const found = new Map<number, KubeObject>();
  for (const run of runs.toSorted(oldestFirst)) {
    const origin = originOf(run);
    if (origin.point === 'canary-step' && origin.release === release && origin.step !== '')
      found.set(Number(origin.step), run);
  }
  return found;
}

const oldestFirst = (left: KubeObject, right: KubeObject): number => (ageOf(left) < ageOf(right) ? -1 : 1);
const ageOf = (run: KubeObject): string =>
  `${textAt(run, 'metadata', 'creationTimestamp') ?? ''} ${nameOf(run)}`;

type AtStep = { readonly step: CanaryStep; readonly index: number; readonly run: KubeObject | undefined };

function stateOf(workload: KubeObject, { step, index, run }: AtStep): StepState {
  const current = stepIndexOf(workload);
  if (current === undefined || index > current) return 'to come';
  if (index < current) return isSkipped(workload, { step, index, run }) ? 'skipped' : 'done';
  const isAborted =
    textAt(workload, 'status', 'canary', 'abortedRevision') ===
    (textAt(workload, 'status', 'updateRevision') ?? '');
  return isAborted || (run !== undefined && isBad(run)) ? 'failed' : 'current';
}

/** A hook that has not passed, although the release is past it: a person went on, or the steps were not walked. */
function isSkipped(workload: KubeObject, { step, index, run }: AtStep): boolean {
  if (step.type !== 'hook') return false;
  if (run !== undefined) return !isGood(run) || isStoppedByController(run);
  const { verdicts = [] } = lastRecordOf(workload) ?? { verdicts: undefined };
  const verdict = verdicts.findLast((each) => each.step === index + 1);
  if (verdict !== undefined) return verdict.phase !== 'Successful';
  // Of many verdicts only the last are kept.
  return lastRecordOf(workload) !== undefined && verdicts.length < keptVerdicts;
}

const keptVerdicts = 20;
