import type { ProgressEvent } from '#decide/machines/events.ts';
import { stepsOf, taskKey } from '#decide/machines/plan.ts';
import { normal, warning } from '#loop/note.ts';
import type { Turn } from './turn.ts';

/** What people are told by `kubectl describe`: failures, and hooks that are through on all machines. */
export function noteEvent(turn: Turn, event: ProgressEvent): void {
  const { events } = turn.deps;
  if (event.type === 'notice') events.record(turn.object, normal('Notice', event.message));
  if (event.type !== 'task' || event.outcome === undefined) return;
  const { outcome, title, step: id } = event;
  if (outcome.type !== 'succeeded') {
    events.record(turn.object, warning('HookFailed', outcome.message));
    return;
  }
  const step = turn.planned && stepsOf(turn.planned.plan).find((each) => each.id === id);
  if (step === undefined || step.kind === 'files' || step.kind === 'remove') return;
  const isDone = step.targets.every(
    ({ node }) => turn.progress.tasks.get(taskKey(id, node))?.state === 'Succeeded',
  );
  if (!isDone) return;
  const where = step.targets.map(({ node }) => node);
  const text = where.length <= 5 ? where.join(', ') : `${where.length} machines`;
  events.record(turn.object, normal('HookSucceeded', `${title} has run on ${text}.`));
}
