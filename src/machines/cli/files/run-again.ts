import { ExitError } from '#command/exit.ts';
import type { Given } from '#command/given.ts';
import { hasSucceeded, replay, type JournalRecord } from '#machines/decide/progress.ts';
import { systemClock } from '#edge/clock.ts';
import { againCommand } from './again-command.ts';
import { carryOut, takeBack } from './carry-out.ts';
import { clusterFolder, lastOperation, operationIn, rollbackIn, type PastOperation } from './folders.ts';
import { interruptible } from './interrupt.ts';
import { holderText, lockHolder } from './lock.ts';
import { readMembers } from './members.ts';
import type { Assignment } from './assignment.ts';
import { openDisplay } from './open-display.ts';
import { requestOf, runOptionsOf, type OperationRequest, type RunOptions } from './options.ts';
import { clusterIdOf, prepare } from './prepare.ts';
import { recordedRequest, type PlannedRecord } from './request-record.ts';
import { noteUndone, prepareRollback } from './rollback.ts';
import { showOutline } from './show-plan.ts';
import { settingsAgain } from './started-with.ts';
import { withLock } from './with-lock.ts';

/** `resume` and `retry`: continue the last operation of the cluster with the options that it was started with. */
export async function runAgain(
  kind: 'resume' | 'retry',
  given: Given,
  explicit: ReadonlySet<string>,
): Promise<number> {
  const asked = { request: requestOf('deploy', given, []), options: runOptionsOf(given) };
  const folder = clusterFolder(asked.options.dataDir, clusterIdOf(asked.request));
  const last = lastOperation(folder);
  const planned = last === undefined ? undefined : plannedIn(last.records);
  if (last === undefined || planned === undefined)
    throw new ExitError(
      2,
      `There is no operation to ${kind} for this cluster under ${asked.options.dataDir}`,
    );
  const { request, options } = settingsAgain(planned, asked, explicit);
  const holder = kind === 'retry' ? lockHolder(folder) : undefined;
  if (holder !== undefined) {
    process.kill(holder.pid, 'SIGUSR2');
    process.stdout.write(`Requested a retry from ${holderText(holder)}\n`);
    return 0;
  }
  return withLock(folder, request, options, async () => {
    const assignment = await assignmentFor(last, request, options);
    const rolledBack = await finishRollback(kind, assignment);
    const now = operationIn(folder, last.id);
    if (rolledBack === 'failed') return 1;
    if (rolledBack === 'finished' && kind === 'resume') return failedText(request, options);
    if (kind === 'resume' && isTakenBack(now))
      throw new ExitError(
        2,
        `${last.id} failed and was rolled back: there is nothing to resume. Start it again: ${againCommand('retry', request, options)}`,
      );
    const more = retriedIf(kind === 'retry');
    showOutline(assignment.prepared.plan, options);
    return carryOut({ ...assignment, records: [...now.records, ...more] }, more);
  });
}

const retriedIf = (isRetry: boolean): readonly JournalRecord[] =>
  isRetry ? [{ type: 'retried', at: systemClock.now() }] : [];

export const plannedIn = (records: readonly JournalRecord[]): PlannedRecord | undefined =>
  records.find((record) => record.type === 'planned');

const isTakenBack = ({ records }: PastOperation): boolean => records.at(-1)?.type === 'undone';

function failedText(request: OperationRequest, options: RunOptions): number {
  process.stdout.write(
    `Rolled back. Start the operation again: ${againCommand('retry', request, options)}\n`,
  );
  return 1;
}

/** Plans an operation of the journal again. */
export async function assignmentFor(
  { id, records }: PastOperation,
  request: OperationRequest,
  options: RunOptions,
): Promise<Assignment> {
  const folder = clusterFolder(options.dataDir, clusterIdOf(request));
  const members = readMembers(folder);
  const prepared = await prepare(request, members);
  return { id, request, prepared, records, clusterFolder: folder, members, options };
}

/** The journal contains the end of the rollback, or the operation was retried since. */
const isNoted = ({ records }: Assignment, { at }: PlannedRecord): boolean =>
  records.some((record) => (record.type === 'undone' || record.type === 'retried') && record.at >= at);

/** Finishes a rollback first that was interrupted or cancelled, or has failed: machines may be reset in part. */
async function finishRollback(
  kind: 'resume' | 'retry',
  failed: Assignment,
): Promise<'none' | 'finished' | 'failed'> {
  const rollback = rollbackIn(failed.clusterFolder, failed.id);
  const planned = rollback === undefined ? undefined : plannedIn(rollback.records);
  if (rollback === undefined || planned === undefined) return 'none';
  if (isNoted(failed, planned)) return 'none';
  const { id, records } = rollback;
  const request = recordedRequest(planned.request);
  const prepared = await prepareRollback(request, failed.members, failed.prepared);
  const assignment = { ...failed, id, request, prepared };
  if (hasSucceeded(replay(records).closed)) {
    // The rollback ended, but the process was killed before it recorded that.
    await noteUndone(failed, assignment);
    return 'finished';
  }
  const more = retriedIf(kind === 'retry');
  const display = openDisplay(prepared.plan, failed.options.json);
  let isDone = false;
  try {
    display.say(`Continuing ${id}: what has ended is not run again`);
    await interruptible(async (signal) => {
      const again = { ...assignment, records: [...records, ...more] };
      isDone = await takeBack(failed, again, { display, signal }, more);
      return 0;
    });
  } finally {
    display.close();
  }
  return isDone ? 'finished' : 'failed';
}
