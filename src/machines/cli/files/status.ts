import { tableLines } from '#base/text-table.ts';
import { ExitError } from '#command/exit.ts';
import type { Given } from '#command/given.ts';
import { conditionsOf } from '#machines/decide/conditions.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { stepsOf, taskKey } from '#machines/decide/plan.ts';
import {
  hasSucceeded,
  replay,
  type OperationState,
  type OperationProgress,
} from '#machines/decide/progress.ts';
import { taskStates, verdictOf } from '#machines/decide/verdict.ts';
import { terminalWidth } from '#command/terminal-width.ts';
import { nodeText } from './event-text.ts';
import { clusterFolder, lastOperation, readPlan, rollbackIn, type PastOperation } from './folders.ts';
import { holderText, lockHolder } from './lock.ts';
import { requestOf, runOptionsOf } from './options.ts';
import { clusterIdOf } from './prepare.ts';

/** `boathook cluster status`: the last operation, its tasks and TKEStack's conditions. */
export function showStatus(given: Given): number {
  const options = runOptionsOf(given);
  const id = clusterIdOf(requestOf('deploy', given, []));
  const folder = clusterFolder(options.dataDir, id);
  const last = lastOperation(folder);
  if (last === undefined) {
    process.stdout.write(options.json ? `${JSON.stringify({ cluster: id })}\n` : `${id}: no operation yet\n`);
    return 0;
  }
  const holder = lockHolder(folder);
  const plan = readPlan(last.folder);
  // After a rollback, the status shows how the operation failed.
  const isUndone = last.records.at(-1)?.type === 'undone';
  const progress = replay(isUndone ? last.records.slice(0, -1) : last.records);
  const state = stateOf(last, plan, progress, holder !== undefined);
  const undone = undoText(folder, last);
  const rollback = undone === '' ? {} : { rollback: rollbackState(folder, last) };
  const status = { ...statusOf(plan, progress), cluster: id, id: last.id, state, ...rollback };
  if (options.json) process.stdout.write(`${JSON.stringify(status, null, 2)}\n`);
  else {
    const at = holder === undefined ? '' : `, run by ${holderText(holder)}`;
    process.stdout.write(`${id}: ${plan.operation} ${last.id}: ${state}${at}\n${undone}${tableOf(status)}`);
  }
  return 0;
}

/** The rollback of a failed operation, in a line of its own. */
function undoText(folder: string, last: PastOperation): string {
  const rollback = rollbackIn(folder, last.id);
  const begun = rollback?.records[0]?.at;
  const isPast =
    begun !== undefined && last.records.some(({ type, at }) => type === 'retried' && at >= begun);
  if (isPast || (rollback === undefined && last.records.at(-1)?.type !== 'undone')) return '';
  const ended = rollbackState(folder, last);
  const where = rollback === undefined ? '' : ` (${rollback.folder})`;
  return `rolled back: ${ended}${where}; "boathook cluster ${afterRollback(ended)}\n`;
}

function afterRollback(ended: OperationState): string {
  if (hasSucceeded(ended)) return 'retry" starts the operation again';
  return ended === 'Failed' ? 'retry" runs what failed again' : 'resume" continues it';
}

function rollbackState(folder: string, { id }: PastOperation): OperationState {
  const rollback = rollbackIn(folder, id);
  return rollback === undefined ? 'Succeeded' : (replay(rollback.records).closed ?? 'Interrupted');
}

/** The state of an operation that has not ended: running, interrupted or planned. */
function stateOf(
  { records }: PastOperation,
  plan: MachinePlan,
  progress: OperationProgress,
  isHeld: boolean,
): OperationState {
  if (progress.closed !== undefined) return progress.closed;
  if (!records.some(({ type }) => type === 'opened')) return 'Planned';
  return isHeld ? verdictOf(plan, progress).state : 'Interrupted';
}

type Status = ReturnType<typeof statusOf>;

function statusOf(plan: MachinePlan, progress: OperationProgress) {
  const stateOf = taskStates(plan, progress);
  return {
    operation: plan.operation,
    tasks: stepsOf(plan).flatMap((step) =>
      step.targets.map(({ node }) => {
        const task = progress.tasks.get(taskKey(step.id, node));
        const outcome = task?.outcome;
        return {
          step: step.id,
          node,
          state: stateOf(step, node),
          attempts: task?.attempts ?? 0,
          ...(outcome !== undefined && 'message' in outcome && { message: outcome.message }),
        };
      }),
    ),
    conditions: conditionsOf(plan, progress),
  };
}

function tableOf({ tasks, conditions }: Status): string {
  const rows = [
    ['NODE', 'STEP', 'STATE', 'ATTEMPTS'],
    ...tasks.map(({ node, step, state, attempts }) => [nodeText(node), step, state, String(attempts)]),
  ];
  const lines = tableLines(rows, terminalWidth());
  const said = conditions.map(
    ({ type, status, reason, message }) =>
      `${type}: ${status}${reason === '' ? '' : ` (${reason})`}${message === '' ? '' : `: ${message.split('\n')[0] ?? ''}`}`,
  );
  return `${[...lines, ...said].join('\n')}\n`;
}

/** The last operation, or an error when there is none. */
export function lastOf(given: Given): PastOperation {
  const options = runOptionsOf(given);
  const id = clusterIdOf(requestOf('deploy', given, []));
  const last = lastOperation(clusterFolder(options.dataDir, id));
  if (last === undefined)
    throw new ExitError(2, `There is no operation of ${id} under ${options.dataDir}: check --data-dir`);
  return last;
}
