import { defined } from '#base/defined.ts';
import type { Instant } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { RehearsedTask, TaskResult } from './operation-report.ts';

/** The attempts in the events of an operation, in the order of their starts. */
export function rehearsedTasks(events: readonly ProgressEvent[], started: Instant): readonly RehearsedTask[] {
  const tasks = new Map<string, RehearsedTask>();
  for (const event of events) {
    if (event.type !== 'task') continue;
    const { step, title, node, attempt, outcome } = event;
    const key = `${step}@${node}#${attempt}`;
    const at = (event.at - started) / 1000;
    const known = tasks.get(key) ?? { node, step, title, attempt, startedAt: at, result: 'running' };
    tasks.set(key, outcome === undefined ? known : ended(known, at, outcome));
  }
  return [...tasks.values()].toSorted((left, right) => left.startedAt - right.startedAt);
}

const ended = (task: RehearsedTask, endedAt: number, outcome: TaskOutcome): RehearsedTask =>
  defined<RehearsedTask>({
    ...task,
    endedAt,
    result: resultOf(outcome),
    message: 'message' in outcome ? shortMessage(outcome.message, task.node) : undefined,
  });

function resultOf(outcome: TaskOutcome): TaskResult {
  switch (outcome.type) {
    case 'succeeded':
      return outcome.changed === false ? 'unchanged' : 'succeeded';
    case 'timedOut':
      return 'timed out';
    default:
      return outcome.type;
  }
}

/** Without the name of the machine, which stands beside it, and the log, which a rehearsal does not keep. */
export function shortMessage(message: string, node: string): string {
  const [first = '', ...rest] = message.split('\n').filter((line) => !line.startsWith('Full log: '));
  const last = rest.map((line) => line.trim()).findLast((line) => line !== '');
  const bare = first.startsWith(`${node}: `) ? first.slice(node.length + 2) : first;
  return last === undefined ? bare : `${bare} (${last})`;
}
