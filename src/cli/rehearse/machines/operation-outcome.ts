import { relative } from 'node:path';
import { countText } from '#base/text.ts';
import { againCommand } from '#machines/cli/files/again-command.ts';
import { nodeText } from '#machines/cli/files/event-text.ts';
import type { OperationOutcome, RehearsedTask, StoppedTask } from '#rehearse/machines/operation-report.ts';
import { shortMessage } from '#rehearse/machines/rehearsed-tasks.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { OperationWalk } from './run-operation.ts';
import { nodeNames, stepTitle } from './step-titles.ts';

/** How the operation would end, and what a user would do then. */
export function outcomeOf(
  plan: RehearsedOperation,
  { end }: OperationWalk,
  tasks: readonly RehearsedTask[],
): OperationOutcome {
  if (end === undefined) return { type: 'ReachesHorizon', message: waitingText(tasks) };
  if (end.type === 'unreachable') {
    const failures = [...end.failures].map(([node, message]) => ({ node, step: 'login', message }));
    return {
      type: 'Fails',
      message: 'nothing would be changed, because machines cannot be reached',
      failures,
      remedies: ['start the machine, or leave it out of the file'],
    };
  }
  if (end.type !== 'ended') return { type: 'Fails', message: end.message, failures: [], remedies: [] };
  const { state, failures, isolated } = end.verdict;
  if (state === 'Succeeded') return { type: 'Completes' };
  const stopped: readonly StoppedTask[] = [
    ...failures.map(({ step, node, outcome }) => ({
      node,
      step: stepTitle(step, node, nodeNames(plan)),
      message: 'message' in outcome ? shortMessage(outcome.message, node) : outcome.type,
    })),
    ...[...isolated]
      .filter(([node]) => !failures.some((failure) => failure.node === node))
      .map(([node, message]) => ({ node, step: 'login', message })),
  ];
  const [first] = stopped;
  const message = first === undefined ? state : `${nodeText(first.node)}: ${first.message}`;
  if (state === 'PartlySucceeded') return { type: 'CompletesPartly', message, failures: stopped };
  return { type: 'Fails', message, failures: stopped, remedies: remediesOf(plan) };
}

function remediesOf({ request, options }: RehearsedOperation): readonly string[] {
  const files = request.files.map(fromHere);
  const removal = `remove what it created: boathook cluster cleanup ${files.map((file) => `-f ${file}`).join(' ')}`;
  return [
    `fix the cause and retry the failed tasks: ${againCommand('retry', { ...request, files }, options)}`,
    ...(request.verb === 'deploy' || request.verb === 'bootstrap' ? [removal] : []),
  ];
}

/** A path below the current folder as a user would write it. */
function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function waitingText(tasks: readonly RehearsedTask[]): string {
  const last = tasks.findLast(({ result }) => result !== 'succeeded' && result !== 'unchanged');
  if (last === undefined) return 'the last step had not begun';
  const what = last.result === 'running' ? 'still runs' : `${last.result} ${countText(last.attempt, 'time')}`;
  return `${last.title} on ${nodeText(last.node)} ${what}`;
}
