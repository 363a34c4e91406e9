import type { StepStatus, TaskStatus } from '#machines/kinds/operation-status.ts';
import { formatMicroTime, instant, millis, parseTime, type Instant } from '#base/time.ts';
import { taskOfKey } from '#machines/decide/plan.ts';
import {
  type JournalRecord,
  type TaskOutcome,
  type OperationProgress,
  type TaskProgress,
} from '#machines/decide/progress.ts';

/** Pauses stop growing before this number. */
const mostFailures = 16;
const longestMessage = 1024;

/** The progress of an operation for the status; machines that are done are listed by name only. */
export function compactSteps(progress: OperationProgress): readonly StepStatus[] {
  const steps = new Map<string, { done: string[]; tasks: TaskStatus[] }>();
  for (const [key, task] of progress.tasks) {
    const { step, node } = taskOfKey(key);
    const entry = steps.get(step) ?? { done: [], tasks: [] };
    steps.set(step, entry);
    if (task.state === 'Succeeded') entry.done.push(node);
    else entry.tasks.push(taskStatus(node, task));
  }
  return [...steps].map(([name, { done, tasks }]) => ({
    name,
    ...(done.length > 0 && { done }),
    ...(tasks.length > 0 && { tasks }),
  }));
}

/** The journal records that lead to this status: the engine starts from them. */
export function recordsOf(steps: readonly StepStatus[]): readonly JournalRecord[] {
  return steps.flatMap(({ name, done = [], tasks = [] }) => [
    ...done.map((node): JournalRecord => ({
      type: 'result',
      at: instant(0),
      step: name,
      node,
      attempt: 1,
      outcome: { type: 'succeeded' },
    })),
    ...tasks.flatMap((task) => taskRecords(name, task)),
  ]);
}

export const retriedRecord = (at: Instant): JournalRecord => ({ type: 'retried', at });

function taskStatus(node: string, task: TaskProgress): TaskStatus {
  return {
    node,
    state: task.state,
    attempt: task.attempts,
    ...(task.failures > 0 && { failures: Math.min(task.failures, mostFailures) }),
    since: formatMicroTime(task.since),
    ...(task.outcome !== undefined && endStatus(task.outcome)),
  };
}

function endStatus(outcome: TaskOutcome): Partial<TaskStatus> {
  const message = 'message' in outcome ? outcome.message.slice(0, longestMessage) : '';
  const said = message === '' ? {} : { message };
  if (outcome.type === 'unreachable') return { ...said, ...(outcome.launched && { launched: true }) };
  if (outcome.type !== 'failed') return said;
  const { exit, permanent } = outcome;
  return { ...said, ...(exit !== undefined && { exit }), ...(permanent === true && { permanent }) };
}

function taskRecords(step: string, task: TaskStatus): readonly JournalRecord[] {
  const { node, attempt, state } = task;
  const base = { at: parseTime(task.since ?? '') ?? instant(0), step, node, attempt };
  const outcome = outcomeIn(task);
  const failure: JournalRecord = { type: 'result', ...base, outcome };
  const begun: JournalRecord = { type: 'staging', ...base };
  const count = Math.min(task.failures ?? 0, mostFailures);
  const failures = [begun, ...Array.from({ length: count }, () => failure)];
  if (state === 'Launched') return [...failures, { type: 'intent', ...base, fingerprint: '' }];
  if (state === 'Cancelled')
    return [...failures, { ...failure, outcome: { type: 'cancelled', message: '' } }];
  // Waiting and Staging alike: the number of the attempt is used up, its name on the machine may be taken.
  if (state === 'Staging' || state === 'Waiting') return [...failures, begun];
  return count > 0 ? failures : [begun, failure];
}

function outcomeIn({
  state,
  message = '',
  exit,
  launched = false,
  permanent = false,
}: TaskStatus): TaskOutcome {
  switch (state) {
    case 'TimedOut':
      return { type: 'timedOut', limit: millis(0), message, escaped: [] };
    case 'Unreachable':
      return { type: 'unreachable', message, refused: false, launched };
    case 'Unknown':
      return { type: 'unknown', message };
    default:
      return {
        type: 'failed',
        message,
        ...(exit !== undefined && { exit }),
        ...(permanent && { permanent }),
      };
  }
}
