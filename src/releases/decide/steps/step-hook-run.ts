import type { RunPhase } from '#hooks/kinds/hook-run.ts';
import type { StepHook } from '#releases/kinds/canary.ts';
import type { RecordedVerdict } from '#releases/kinds/release-history.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import { textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { runFromTemplate } from '#hooks/decide/make-run.ts';
import { templateProblem } from '#hooks/decide/template-problem.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import { originOf, runLabels } from '#releases/model/run-labels.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { badMessage, isBad, isGood, isOver, phaseOf, waitingFor } from '#hooks/decide/run-phase.ts';
import { endRuns, isStoppedByController, type KeptRuns } from './end-runs.ts';
import { stepName } from './step-outcome.ts';
import { hookOf } from './step-types.ts';
import type { StepRun } from './steps-model.ts';

export type StepHookGiven = {
  readonly workload: KubeObject;
  readonly steps: readonly CanaryStep[] | undefined;
  readonly stepHash: string | undefined;
  /** Identifies this walk through the steps; undefined when an older version started it. */
  readonly releaseId: string | undefined;
  /** Number of times that the hook of the step was retried. */
  readonly retries: number;
  /** The current step; undefined when no hook can run now. */
  readonly stepIndex: number | undefined;
  /** Whether the release is over: its HookRuns count for the history. */
  readonly isOver: boolean;
  /** Whether the status shows this walk. Until then its user can take the edit back, and the HookRun of before counts. */
  readonly isRecorded: boolean;
  readonly updateRevision: string;
  readonly stableRevision: string | undefined;
  /** No HookRun is created during a pause, or while a request of a user is applied. */
  readonly isPaused: boolean;
  /** How many finished HookRuns of earlier releases are kept. */
  readonly kept: KeptRuns;
  /** All HookRuns of the workload. */
  readonly runs: readonly KubeObject[];
  /** Whether some HookRun of the namespace has this name. */
  readonly isTaken: (name: string) => boolean;
  readonly template: (name: string) => HookTemplate | undefined;
  readonly hostIP: string;
  readonly now: Instant;
};

export type StepHookDecision = {
  readonly run: StepRun;
  /** The verdict of the current HookRun, for the history. */
  readonly verdict: RecordedVerdict | undefined;
  /** The name for the status. */
  readonly current: string | undefined;
  readonly actions: readonly ReleaseAction[];
  readonly wakeAt: Instant | undefined;
};

/** Creates the HookRun of the current step, and terminates those of other steps. */
export function decideStepHook(given: StepHookGiven): StepHookDecision {
  const step = given.stepIndex === undefined ? undefined : given.steps?.[given.stepIndex];
  const all = given.runs.filter((run) => originOf(run).point === 'canary-step');
  const hook = step === undefined ? undefined : hookOf(step);
  const current =
    hook === undefined ? undefined : (all.findLast((run) => isOfStep(given, run)) ?? recorded(given));
  const others = all.filter((run) => run !== current);
  const actions = others.length === 0 || !given.isRecorded ? [] : endRuns(given, others);
  const idle = { run: none, verdict: undefined, current: undefined, actions, wakeAt: undefined };
  if (hook === undefined) return idle;
  if (current !== undefined)
    return {
      ...standing(given, current),
      verdict: verdictOf(given, current),
      current: nameOf(current),
      actions,
    };
  if (given.isPaused) return idle;
  const made = createRun(given, hook);
  return { ...idle, ...made, actions: [...actions, ...made.actions] };
}

const none: StepRun = { type: 'none' };

/** Compares labels, not the name in the status: the controller may have stopped before it wrote the status. */
function isOfStep(given: StepHookGiven, run: KubeObject): boolean {
  const { updateRevision, stepIndex, stepHash, releaseId = '', retries } = given;
  const origin = originOf(run);
  return (
    !isStoppedByController(run) &&
    origin.revision === fitted(updateRevision) &&
    origin.step === String(stepIndex) &&
    origin.release === releaseId &&
    origin.retry === (retries === 0 ? '' : String(retries)) &&
    // HookRuns of older versions.
    (releaseId !== '' || origin.stepHash === (stepHash ?? ''))
  );
}

/** The HookRun that the original operators created for the step: only their status says so. */
function recorded({ workload, runs, retries }: StepHookGiven): KubeObject | undefined {
  const name = textAt(workload, 'status', 'canary', 'currentStepHookRun');
  if (name === undefined || retries > 0) return undefined;
  return runs.find((run) => nameOf(run) === name && originOf(run).point === '');
}

function verdictOf({ stepIndex = 0 }: StepHookGiven, run: KubeObject): RecordedVerdict | undefined {
  if (!isOver(run)) return undefined;
  return { step: stepIndex + 1, hookRun: nameOf(run), phase: phaseOf(run) as RunPhase };
}

function standing(given: StepHookGiven, run: KubeObject): Pick<StepHookDecision, 'run' | 'wakeAt'> {
  if (isGood(run)) return { run: { type: 'good' }, wakeAt: undefined };
  if (isBad(run)) {
    const bad = { type: 'bad', name: nameOf(run), phase: phaseOf(run), message: badMessage(run) } as const;
    return { run: bad, wakeAt: undefined };
  }
  const { blocker, wakeAt } = waitingFor(run, nameOfStep(given), given.now);
  return { run: { type: 'waiting', blocker }, wakeAt };
}

const nameOfStep = ({ stepIndex, steps = [] }: StepHookGiven): string =>
  stepName({ before: { stepIndex }, steps });

type Created = Pick<StepHookDecision, 'run' | 'current' | 'actions'>;

function createRun(given: StepHookGiven, { templateName, args = [] }: StepHook): Created {
  const { workload, stepIndex = 0, releaseId, updateRevision, retries } = given;
  const template = given.template(templateName);
  const number = nameOfStep(given);
  const namespace = namespaceOf(workload);
  if (template === undefined) {
    const message = `${number} cannot run its hook: create the HookTemplate ${templateName} in namespace ${namespace}, or correct the step.`;
    return impossible({ reason: 'HookTemplateMissing', message });
  }
  const invalid = templateProblem(template);
  if (invalid !== undefined) {
    const message = `${number} cannot run HookTemplate ${templateName}: ${invalid}. Correct the HookTemplate.`;
    return impossible({ reason: 'HookTemplateInvalid', message });
  }
  const name = freeName(fitted(`${updateRevision}-${stepIndex}-${templateName}`), given.isTaken, retries + 1);
  const declared = new Set((template.spec.args ?? []).map((arg) => arg.name));
  const origin = {
    kind: kindOf(workload),
    workload: nameOf(workload),
    revision: updateRevision,
    point: 'canary-step',
    step: stepIndex,
    ...(releaseId === undefined ? {} : { release: releaseId }),
    retry: retries,
  } as const;
  const made = runFromTemplate({
    template,
    name,
    namespace,
    labels: runLabels(origin),
    owner: controllerReference(workload),
    given: args,
    // Only args that the template declares.
    injected: injectedArgs(given).filter((arg) => declared.has(arg.name)),
  });
  if (made.type === 'refused') {
    const message = `${number} cannot run HookTemplate ${templateName}: ${made.message}.`;
    return impossible({ reason: 'HookArgMissing', message });
  }
  return { run: none, current: name, actions: [{ type: 'create-run', run: made.object }] };
}

const impossible = (blocker: Blocker): Created => ({
  run: { type: 'impossible', blocker },
  current: undefined,
  actions: [],
});

/** Args that are injected into the hook of every step, if its template declares them. */
export const stepArgNames: ReadonlySet<string> = new Set([
  'HostIP',
  'WorkloadName',
  'WorkloadNamespace',
  'WorkloadKind',
  'StableRevision',
  'UpdateRevision',
  'StepIndex',
]);

function injectedArgs(given: StepHookGiven): readonly HookArg[] {
  const { workload, stableRevision = '', updateRevision, stepIndex = 0, hostIP } = given;
  return [
    { name: 'HostIP', value: hostIP },
    { name: 'WorkloadName', value: nameOf(workload) },
    { name: 'WorkloadNamespace', value: namespaceOf(workload) },
    { name: 'WorkloadKind', value: kindOf(workload) },
    { name: 'StableRevision', value: stableRevision },
    { name: 'UpdateRevision', value: updateRevision },
    { name: 'StepIndex', value: String(stepIndex) },
  ];
}

/** The first of `name`, `name-2`, `name-3`, … that is not taken, from the given number on. */
export function freeName(name: string, isTaken: (name: string) => boolean, from = 1): string {
  const numbered = (count: number): string => (count === 1 ? name : fitted(`${name}-${count}`));
  let count = from;
  while (isTaken(numbered(count))) count += 1;
  return numbered(count);
}
