import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { TaskFailure, OperationVerdict } from '#machines/decide/verdict.ts';
import { usualRetries } from '#machines/decide/retries.ts';
import { againCommand } from './again-command.ts';
import { openArtifacts } from './folders.ts';
import type { Assignment } from './assignment.ts';
import { nodeText } from './event-text.ts';

/** The summary of an operation: how it ended, why, and what to do. `isUndone`: a rollback follows. */
export function endText(end: RunEnd, assignment: Assignment, isUndone: boolean): string {
  switch (end.type) {
    case 'locked':
    case 'taken-over':
      return end.message;
    case 'unreachable':
      return `Nothing was changed:\n${[...end.failures.values()].map((why) => `  ${why}`).join('\n')}`;
    case 'ended':
      return verdictText(end.verdict, assignment, isUndone);
  }
}

function verdictText(verdict: OperationVerdict, assignment: Assignment, isUndone: boolean): string {
  const { state, failures, ignored, isolated, done, total } = verdict;
  const { prepared, request, clusterFolder, id } = assignment;
  const lines = [
    `${prepared.plan.operation} of ${prepared.plan.cluster}: ${state} (${done} of ${total} tasks)`,
  ];
  for (const failure of failures) lines.push(`  ${failureText(failure)}`);
  for (const failure of ignored) lines.push(`  warning, ignored: ${failureText(failure)}`);
  for (const [node, why] of isolated)
    if (!failures.some((failure) => failure.node === node)) lines.push(`  ${node} is skipped: ${why}`);
  lines.push(...givenUp(verdict, request));
  lines.push(...nextText(state, assignment, isUndone));
  if (
    state === 'Succeeded' &&
    prepared.plan.operation === 'cluster.create' &&
    request.installer === 'kubeadm'
  )
    lines.push(`export KUBECONFIG=${openArtifacts(clusterFolder).folder}/kubeconfig`);
  lines.push(`Logs and journal: ${clusterFolder}/operations/${id}`);
  return lines.join('\n');
}

function givenUp(
  { state, failures }: OperationVerdict,
  { retries = usualRetries }: Assignment['request'],
): readonly string[] {
  if (state !== 'Failed' || !failures.some(isGivenUp)) return [];
  const tries = retries === 0 ? 'one attempt' : `${retries + 1} attempts`;
  return [`Gave up after ${tries}: --retries sets the number of retries`];
}

/** All attempts are used up. */
const isGivenUp = ({ step, outcome }: TaskFailure): boolean =>
  step.policy.onFailure === 'retry' &&
  outcome.type !== 'cancelled' &&
  !(outcome.type === 'failed' && outcome.permanent === true);

function nextText(
  state: OperationVerdict['state'],
  { request, options }: Assignment,
  isUndone: boolean,
): readonly string[] {
  if (state === 'Cancelled') return [`Resume with: ${againCommand('resume', request, options)}`];
  if (state !== 'Failed') return [];
  const when = isUndone ? ', once it is rolled back' : '';
  return [`Fix the cause and retry${when}: ${againCommand('retry', request, options)}`];
}

const failureText = ({ step, node, outcome }: TaskFailure): string =>
  `${nodeText(node)} ${step.title}: ${'message' in outcome ? (outcome.message.split('\n')[0] ?? '') : outcome.type}`;
