import type { ProgressEvent } from '#machines/decide/events.ts';
import { nothingToReset } from '#machines/decide/kubeadm/scripts.ts';
import { stepsOf, taskKey, type Step } from '#machines/decide/plan.ts';
import type { Outcome } from '#machines/decide/progress.ts';
import { normal, warning } from '#loop/note.ts';
import type { Turn } from './turn.ts';

/** What people read with `kubectl describe`: failures, and scripts that are through on all machines. */
export function noteEvent(turn: Turn, event: ProgressEvent): void {
  const { events } = turn.deps;
  if (event.type === 'notice') events.record(turn.object, normal('Notice', event.message));
  if (event.type === 'output') noteReset(turn, event);
  if (event.type === 'task' && event.outcome !== undefined) noteOutcome(turn, event.step, event.outcome);
}

function noteOutcome(turn: Turn, id: string, outcome: Outcome): void {
  const { events } = turn.deps;
  const steps = turn.planned === undefined ? [] : stepsOf(turn.planned.plan);
  const own = steps.find((step) => step.id === id);
  const word = own === undefined || own.kind === 'hook' ? 'Hook' : 'Step';
  if (outcome.type !== 'succeeded')
    events.record(turn.object, warning(`${word}Failed`, turn.withWayOut(outcome.message)));
  else if (own?.kind === 'hook' || own?.kind === 'install') noteSuccess(turn, own, steps, word);
}

/** One for a script on all of its machines: a server keeps so many events of an object, and failures shall be seen. */
function noteSuccess(
  turn: Turn,
  { kind, title }: Pick<Step, 'kind' | 'title'>,
  steps: readonly Step[],
  word: string,
): void {
  const same = steps.filter((step) => step.kind === kind && step.title === title);
  const isDone = same.every((step) =>
    step.targets.every(({ node }) => turn.progress.tasks.get(taskKey(step.id, node))?.state === 'Succeeded'),
  );
  if (!isDone) return;
  const where = [...new Set(same.flatMap(({ targets }) => targets.map(({ node }) => node)))];
  const text = where.length <= 5 ? where.join(', ') : `${where.length} machines`;
  turn.deps.events.record(turn.object, normal(`${word}Succeeded`, `${title} has run on ${text}.`));
}

/** A machine that was never installed counts as reset, and the object says so. */
function noteReset(turn: Turn, { step: id, node, line }: Extract<ProgressEvent, { type: 'output' }>): void {
  if (line !== nothingToReset || turn.planned === undefined) return;
  const step = stepsOf(turn.planned.plan).find((each) => each.id === id);
  if (step?.kind !== 'install' || step.program.type !== 'text') return;
  turn.deps.events.record(turn.object, normal('NothingToReset', `${node}: ${nothingToReset}.`));
}
