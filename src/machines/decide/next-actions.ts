import type { Instant } from '#base/time.ts';
import {
  stepsOf,
  taskKey,
  taskOfKey,
  turnOf,
  type MachinePlan,
  type PlanStage,
  type PlanStep,
  type TaskTarget,
} from './plan.ts';
import type { OperationProgress } from './progress.ts';
import { isPauseOver, isSettled, standingOf, type TaskStanding } from './task-standing.ts';

/**
 * What to start now. `ask`: an earlier intent has no result, so the result is read from the node before anything runs.
 */
export type NextAction = {
  readonly type: 'run' | 'ask';
  readonly step: PlanStep;
  readonly target: TaskTarget;
  /** `run`: a new number. `ask`: that of the intent. */
  readonly attempt: number;
};

export type NextActions = {
  readonly actions: readonly NextAction[];
  /** When a pause ends, if nothing else happens before. */
  readonly wakeAt?: Instant;
  /** Nothing is busy, nothing can start, nothing is waited for. */
  readonly over: boolean;
};

type Candidate = { readonly step: PlanStep; readonly target: TaskTarget; readonly standing: TaskStanding };

/**
 * What may start now, and on which node: the first stage that is not settled, on each node its first step that is not
 * settled, unless something failed that forbids it, and never more nodes at a time than allowed.
 *
 * The result depends on the arguments alone; after the intents are recorded it never contains the same action again.
 */
export function nextActions(plan: MachinePlan, progress: OperationProgress, now: Instant): NextActions {
  const stage = currentStage(plan, progress);
  const strays = busyStrays(plan, progress);
  const isIdle = strays.size === 0;
  if (stage === undefined) return { actions: [], over: isIdle };
  const heads = withoutRivals(headsOf(stage, progress), startedIn(plan, stage.out, progress));
  const busy = heads.filter(({ standing }) => standing.type === 'busy');
  if (isDoomed(plan, progress)) return { actions: [], over: isIdle && busy.length === 0 };
  const startable = heads.filter(({ standing }) => mayStart(standing, now));
  const chosen = withinLimits(plan, { busy, strays }, startable);
  const actions = chosen.map((candidate) => actionOf(candidate, progress));
  const wakes = heads.flatMap(({ standing }) =>
    standing.type === 'paused' && !isPauseOver(standing, now) ? [standing.until] : [],
  );
  const over = isIdle && actions.length === 0 && busy.length === 0 && wakes.length === 0;
  return { actions, over, ...(wakes.length > 0 && { wakeAt: wakes.reduce((a, b) => (b < a ? b : a)) }) };
}

/** The nodes that are out of the operation, with the reason. */
export function isolatedNodes(plan: MachinePlan, progress: OperationProgress): ReadonlyMap<string, string> {
  const out = new Map(progress.isolated);
  for (const { steps } of plan.stages)
    for (const step of steps)
      for (const { node } of step.targets) {
        const turn = turnOf(step, node);
        if (out.has(turn) || standingOf(step, node, progress).type !== 'isolated') continue;
        const outcome = progress.tasks.get(taskKey(step.id, node))?.outcome;
        out.set(turn, outcome !== undefined && 'message' in outcome ? outcome.message : step.title);
      }
  return out;
}

/** Something has failed after which nothing new may start. */
export const isDoomed = (plan: MachinePlan, progress: OperationProgress): boolean =>
  plan.stages.some(({ steps }) =>
    steps.some((step) => step.targets.some(({ node }) => standingOf(step, node, progress).type === 'fatal')),
  );

function currentStage(
  plan: MachinePlan,
  progress: OperationProgress,
): { stage: PlanStage; out: ReadonlySet<string> } | undefined {
  const out = new Set(isolatedNodes(plan, progress).keys());
  const open = (step: PlanStep): boolean =>
    step.targets.some(({ node }) => !isOut(out, step, node) && !isSettled(standingOf(step, node, progress)));
  // A task of an isolated node that still runs holds the stage: it is not left behind.
  const running = (step: PlanStep): boolean =>
    step.targets.some(({ node }) => standingOf(step, node, progress).type === 'busy');
  const stage = plan.stages.find(({ steps }) => steps.some((step) => open(step) || running(step)));
  return stage && { stage, out };
}

/** It is not done: the node, or that which it is about, is out of the operation. */
export const isOut = (
  out: Pick<ReadonlySet<string>, 'has'>,
  step: Pick<PlanStep, 'about'>,
  node: string,
): boolean => out.has(node) || out.has(turnOf(step, node));

/** On each node the first step of the stage that is not settled. */
function headsOf(
  { stage, out }: { readonly stage: PlanStage; readonly out: ReadonlySet<string> },
  progress: OperationProgress,
): readonly Candidate[] {
  const heads: Candidate[] = [];
  const taken = new Set<string>();
  for (const step of stage.steps)
    for (const target of step.targets) {
      const turn = turnOf(step, target.node);
      if (taken.has(turn)) continue;
      const standing = standingOf(step, target.node, progress);
      if (isSettled(standing) || (isOut(out, step, target.node) && standing.type !== 'busy')) continue;
      taken.add(turn);
      heads.push({ step, target, standing });
    }
  return heads;
}

/**
 * What was started and has no result, in any stage: after a manual retry a task of a later stage may run, or may have
 * been left by an operator that was killed.
 */
const startedIn = (
  plan: MachinePlan,
  out: ReadonlySet<string>,
  progress: OperationProgress,
): readonly Candidate[] =>
  stepsOf(plan).flatMap((step) =>
    step.targets.flatMap((target) => {
      const standing = standingOf(step, target.node, progress);
      const isStarted =
        standing.type === 'busy' || (standing.type === 'lost' && !isOut(out, step, target.node));
      return isStarted ? [{ step, target, standing }] : [];
    }),
  );

/** Nodes with a task that runs and that the plan lacks, since it was made again meanwhile. */
function busyStrays(plan: MachinePlan, progress: OperationProgress): ReadonlySet<string> {
  const known = new Set(
    stepsOf(plan).flatMap(({ id, targets }) => targets.map(({ node }) => taskKey(id, node))),
  );
  const strays = [...progress.tasks].filter(([key, { live }]) => live && !known.has(key));
  return new Set(strays.map(([key]) => taskOfKey(key).node));
}

/** A node does one thing at a time: what was started there ends before anything else begins. */
function withoutRivals(heads: readonly Candidate[], started: readonly Candidate[]): readonly Candidate[] {
  const nodes = new Set(started.map(({ target }) => target.node));
  const turns = new Set(started.map(({ step, target }) => turnOf(step, target.node)));
  const isRival = ({ step, target: { node } }: Candidate): boolean =>
    nodes.has(node) || turns.has(turnOf(step, node));
  return [...started, ...heads.filter((head) => !isRival(head))];
}

const mayStart = (standing: TaskStanding, now: Instant): boolean =>
  standing.type === 'ready' ||
  standing.type === 'lost' ||
  (standing.type === 'paused' && isPauseOver(standing, now));

/** Lost ones first: they may be running already, and finding out costs little. */
function withinLimits(
  plan: MachinePlan,
  { busy, strays }: { readonly busy: readonly Candidate[]; readonly strays: ReadonlySet<string> },
  startable: readonly Candidate[],
): readonly Candidate[] {
  const perStep = new Map<string, number>();
  const count = (step: PlanStep): number => perStep.get(step.id) ?? 0;
  for (const { step } of busy) perStep.set(step.id, count(step) + 1);
  const chosen: Candidate[] = [];
  // In the turns of several nodes one and the same may have to act: it does one thing at a time.
  const acting = new Set([...strays, ...busy.map(({ target }) => target.node)]);
  const lost = startable.filter(({ standing }) => standing.type === 'lost');
  const rest = startable.filter(({ standing }) => standing.type !== 'lost');
  for (const candidate of [...lost, ...rest]) {
    if (strays.size + busy.length + chosen.length >= plan.parallel) break;
    if (count(candidate.step) >= (candidate.step.policy.parallel ?? Infinity)) continue;
    if (acting.has(candidate.target.node)) continue;
    acting.add(candidate.target.node);
    perStep.set(candidate.step.id, count(candidate.step) + 1);
    chosen.push(candidate);
  }
  return chosen;
}

function actionOf({ step, target, standing }: Candidate, progress: OperationProgress): NextAction {
  const attempts = progress.tasks.get(taskKey(step.id, target.node))?.attempts ?? 0;
  return asks(standing)
    ? { type: 'ask', step, target, attempt: attempts }
    : { type: 'run', step, target, attempt: attempts + 1 };
}

const asks = (standing: TaskStanding): boolean =>
  standing.type === 'lost' || (standing.type === 'paused' && standing.ask);

/** The attempt that the next action for a task asks for, or runs. */
export const nextAttempt = (step: PlanStep, target: TaskTarget, progress: OperationProgress): number =>
  actionOf({ step, target, standing: standingOf(step, target.node, progress) }, progress).attempt;
