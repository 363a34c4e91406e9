import type { ProgressEvent } from '#decide/machines/events.ts';
import { stepsOf, taskKey, type Step } from '#decide/machines/plan.ts';
import { normal, warning } from '#loop/note.ts';
import type { Turn } from './turn.ts';

/** What people are told by `kubectl describe`: failures, and hooks that are through on all machines. */
export function noteEvent(turn: Turn, event: ProgressEvent): void {
  const { events } = turn.deps;
  if (event.type === 'notice') events.record(turn.object, normal('Notice', event.message));
  if (event.type !== 'task' || event.outcome === undefined) return;
  const { outcome, title, step: id } = event;
  if (outcome.type !== 'succeeded') {
    events.record(turn.object, warning('HookFailed', turn.withWayOut(outcome.message)));
    return;
  }
  const steps = turn.planned === undefined ? [] : stepsOf(turn.planned.plan);
  const isHook = ({ kind, title: other }: Step): boolean => kind === 'hook' && other === title;
  // One for the hook on all of its machines: a server keeps so many events of an object, and failures shall be seen.
  const same = steps.some((step) => step.id === id && isHook(step)) ? steps.filter(isHook) : [];
  const isDone = same.every((step) =>
    step.targets.every(({ node }) => turn.progress.tasks.get(taskKey(step.id, node))?.state === 'Succeeded'),
  );
  if (!isDone || same.length === 0) return;
  const where = same.flatMap(({ targets }) => targets.map(({ node }) => node));
  const text = where.length <= 5 ? where.join(', ') : `${where.length} machines`;
  events.record(turn.object, normal('HookSucceeded', `${title} has run on ${text}.`));
}
