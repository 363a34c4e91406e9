import { hasSucceeded } from '#machines/decide/progress.ts';
import type { RehearsedRollback } from '#rehearse/machines/operation-report.ts';
import { rehearsedTasks } from '#rehearse/machines/rehearsed-tasks.ts';
import type { RolledBack } from './rehearsed.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { OperationWalk } from './run-operation.ts';
import { nodeNames, titledTasks } from './step-titles.ts';

/** The rollback that would run, or why there is none. */
export function rollbackOf(
  plan: RehearsedOperation,
  { end, started }: OperationWalk,
  undone: RolledBack | undefined,
): RehearsedRollback {
  const { options, prepared } = plan;
  if (undone !== undefined) {
    const { request, walk } = undone;
    const state = walk.end?.type === 'ended' ? walk.end.verdict.state : undefined;
    return {
      type: 'Runs',
      verb: request.verb,
      nodes: request.undo?.touched ?? request.nodes,
      startedAt: (walk.started - started) / 1000,
      seconds: (walk.ended - walk.started) / 1000,
      isComplete: hasSucceeded(state),
      tasks: titledTasks(rehearsedTasks(walk.events, started), nodeNames(plan)),
    };
  }
  const isDone = end?.type === 'ended' && end.verdict.state === 'Succeeded';
  if (isDone) return { type: 'None', message: 'Nothing needs to be rolled back.' };
  if (!options.rollback) return { type: 'None', message: 'There is no rollback: --rollback=false.' };
  const { format } = prepared.declaration.cluster;
  return {
    type: 'None',
    message:
      format === 'eggo'
        ? `There is no rollback of ${prepared.operation}: what is done stays, and retry continues.`
        : 'There is no rollback of TKEStack clusters: what is done stays, and retry continues.',
  };
}
