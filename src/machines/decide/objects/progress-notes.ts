import type { ProgressEvent } from '#machines/decide/events.ts';
import { nothingToReset } from '#machines/decide/kubeadm/scripts.ts';
import { stepsOf, taskKey, type MachinePlan, type PlanStep } from '#machines/decide/plan.ts';
import type { TaskOutcome, OperationProgress } from '#machines/decide/progress.ts';
import type { OperationNote } from './operation-events.ts';
import { withWayOut } from './way-out.ts';

/** What the Events of a run are made from. */
export type ProgressView = {
  readonly plan: MachinePlan | undefined;
  readonly progress: OperationProgress;
  /** The operation is a deletion that only `forceDelete` would complete. */
  readonly isStuck: boolean;
};

/** The Event about what the engine reports: a failure, or a script that has run on all machines. */
export function progressNote(view: ProgressView, event: ProgressEvent): OperationNote | undefined {
  if (event.type === 'notice') return { type: 'Normal', reason: 'Notice', message: event.message };
  if (event.type === 'output') return resetNote(view, event);
  if (event.type !== 'task' || event.outcome === undefined) return undefined;
  return outcomeNote(view, event.step, event.outcome);
}

function outcomeNote(view: ProgressView, id: string, outcome: TaskOutcome): OperationNote | undefined {
  const steps = view.plan === undefined ? [] : stepsOf(view.plan);
  const own = steps.find((step) => step.id === id);
  const word = own === undefined || own.kind === 'hook' ? 'Hook' : 'Step';
  if (outcome.type !== 'succeeded')
    return {
      type: 'Warning',
      reason: `${word}Failed`,
      message: withWayOut(outcome.message, view.isStuck),
    };
  return own?.kind === 'hook' || own?.kind === 'install' ? successNote(view, own, steps, word) : undefined;
}

/** One Event per script and not per machine: a server keeps a limited number of Events, and failures must stay visible. */
function successNote(
  { progress }: ProgressView,
  { kind, title }: Pick<PlanStep, 'kind' | 'title'>,
  steps: readonly PlanStep[],
  word: string,
): OperationNote | undefined {
  const same = steps.filter((step) => step.kind === kind && step.title === title);
  const isDone = same.every((step) =>
    step.targets.every(({ node }) => progress.tasks.get(taskKey(step.id, node))?.state === 'Succeeded'),
  );
  if (!isDone) return undefined;
  const where = [...new Set(same.flatMap(({ targets }) => targets.map(({ node }) => node)))];
  const text = where.length <= 5 ? where.join(', ') : `${where.length} machines`;
  return { type: 'Normal', reason: `${word}Succeeded`, message: `${title} has run on ${text}.` };
}

/** A machine that was never installed counts as reset. */
function resetNote(
  { plan }: ProgressView,
  { step: id, node, line }: Extract<ProgressEvent, { type: 'output' }>,
): OperationNote | undefined {
  if (line !== nothingToReset || plan === undefined) return undefined;
  const step = stepsOf(plan).find((each) => each.id === id);
  if (step?.kind !== 'install' || step.program.type !== 'text') return undefined;
  return { type: 'Normal', reason: 'NothingToReset', message: `${node}: ${nothingToReset}.` };
}
