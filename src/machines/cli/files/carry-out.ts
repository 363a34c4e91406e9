import { rmSync } from 'node:fs';
import { hasSucceeded, type JournalRecord } from '#machines/decide/progress.ts';
import type { OperationVerdict } from '#machines/decide/verdict.ts';
import { readClusterRecord, recordAfter, writeClusterRecord } from './cluster-record.ts';
import type { Display } from './display.ts';
import { codeOf } from './end-code.ts';
import { nextRollbackId, openArtifacts } from './folders.ts';
import { interruptible } from './interrupt.ts';
import { membersAfter, writeMembers } from './members.ts';
import type { Assignment } from './assignment.ts';
import { operate } from './operate.ts';
import { openDisplay } from './open-display.ts';
import type { OperationRequest } from './options.ts';
import { afterPreInstall } from './pre-install.ts';
import { noteUndone, prepareRollback, rollbackOf } from './rollback.ts';
import { endText } from './summary.ts';

/** Runs an operation to its end, and its rollback if it fails. `more`: records that are not in the journal yet. */
export async function carryOut(begun: Assignment, more: readonly JournalRecord[] = []): Promise<number> {
  const assignment = await afterPreInstall(begun, more);
  if (typeof assignment === 'number') return assignment;
  const { prepared, options } = assignment;
  const { records } = begun;
  const isSame = assignment === begun;
  const display = openDisplay(prepared.plan, options.json);
  try {
    for (const { type, message } of prepared.plan.notes) display.say(`${type}: ${message}`);
    if (records.length > 0) display.say(`Continuing ${assignment.id}: what has ended is not run again`);
    if (options.insecure)
      display.say(
        'warning: SSH host keys are not verified: credentials are sent to any host that answers at an address',
      );
    return await interruptible(async (signal) => {
      const end = await operate(assignment, (event) => display.show(event), signal, isSame ? more : []);
      const undo = end.type === 'ended' ? rollbackOf(assignment, end.verdict) : undefined;
      display.say(endText(end, assignment, undo !== undefined));
      if (end.type === 'ended') {
        noteMembers(assignment, end.verdict);
        if (undo !== undefined && !signal.aborted) await rollBack(assignment, undo, display, signal);
      }
      return codeOf(end, options);
    });
  } finally {
    display.close();
  }
}

/** Stores which nodes belong to the cluster now. */
function noteMembers({ clusterFolder, members, prepared }: Assignment, verdict: OperationVerdict): void {
  writeMembers(clusterFolder, membersAfter(members, prepared, verdict));
  const record = readClusterRecord(clusterFolder);
  writeClusterRecord(clusterFolder, recordAfter(record, prepared, verdict));
  if (prepared.operation === 'cluster.delete' && verdict.state === 'Succeeded')
    rmSync(openArtifacts(clusterFolder).folder, { recursive: true, force: true });
}

/** Removes what the operation made itself, as eggo does. */
async function rollBack(
  assignment: Assignment,
  request: OperationRequest,
  display: Display,
  signal: AbortSignal,
): Promise<void> {
  const { members, prepared, id, clusterFolder } = assignment;
  const undone = await prepareRollback(request, members, prepared);
  display.say(`Rolling back: ${request.verb} ${request.nodes.join(' ')}`.trimEnd());
  await takeBack(
    assignment,
    { ...assignment, id: nextRollbackId(clusterFolder, id), request, prepared: undone, records: [] },
    {
      display,
      signal,
    },
  );
}

/** Runs or resumes a rollback, and records what it has undone. `more`: records that are not in its journal yet. */
export async function takeBack(
  failed: Assignment,
  rollback: Assignment,
  { display, signal }: { readonly display: Display; readonly signal: AbortSignal },
  more: readonly JournalRecord[] = [],
): Promise<boolean> {
  if (rollback.prepared.plan.stages.length === 0) display.say('There is nothing to roll back.');
  else {
    const end = await operate(rollback, (event) => display.show(event), signal, more);
    display.say(endText(end, rollback, false));
    if (end.type !== 'ended' || !hasSucceeded(end.verdict.state)) return false;
  }
  await noteUndone(failed, rollback);
  return true;
}
