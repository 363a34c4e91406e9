import { keptOutput } from '#machines/decide/presets.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { outcomeOf } from './outcome-of.ts';
import { jobName, persist } from './run-job-task.ts';

/**
 * The result of a script that no plan of the operation has any more, once it has ended. Without its step its secrets are
 * not known, so nothing of what it prints is kept.
 */
export async function askUnplanned(
  operationLog: OperationLog,
  { step, attempt }: { readonly step: string; readonly attempt: number },
  session: NodeSession,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const output = { onLine: () => undefined, kept: keptOutput, secrets: [] };
  const end = await persist({ operationLog, session, signal }, () =>
    session.machine().ask(jobName(step, attempt), output, signal),
  );
  const { node } = session;
  if (end.type === 'absent') return { type: 'cancelled', message: `${node}: ${step} was never started` };
  const silent = 'lastLines' in end ? { ...end, lastLines: '' } : end;
  return outcomeOf(silent, { step: { title: step, policy: {} }, node, adopted: true });
}
