import { replay, type JournalRecord } from '#machines/decide/progress.ts';
import { undoneNodes, undoneTasks, undoOf, undoOfAll } from '#machines/decide/undo.ts';
import type { Undo } from '#machines/decide/plan-stages.ts';
import type { OperationVerdict } from '#machines/decide/verdict.ts';
import { UnwrittenRecord } from '#machines/engine/unwritten-record.ts';
import { systemClock } from '#edge/clock.ts';
import { journalPath, operationFolder, operationIn } from './folders.ts';
import { openJournalFile, readJournal } from './journal-file.ts';
import type { Members } from './members.ts';
import type { Assignment } from './assignment.ts';
import type { OperationRequest } from './options.ts';
import { prepare, type PrepareChecks, type PreparedOperation } from './prepare.ts';
import { unwrittenJournal } from './unwritten-journal.ts';

type Failed = Pick<Assignment, 'request' | 'prepared' | 'options'>;

/**
 * What undoes a failed operation, as eggo does: a cluster whose creation failed is cleaned up, and so are nodes that
 * could not join; in both cases only what the operation itself did there. The hooks of the command line were given for
 * this command and do not run again.
 */
export function rollbackOf(assignment: Assignment, verdict: OperationVerdict): OperationRequest | undefined {
  const { id, clusterFolder } = assignment;
  const records = readJournal(journalPath(operationFolder(clusterFolder, id)));
  return rollbackAfter({ ...assignment, records }, verdict);
}

/** The same for an operation whose records are known. */
export function rollbackAfter(
  failed: Failed & Pick<Assignment, 'id' | 'records'>,
  { state, isolated }: OperationVerdict,
): OperationRequest | undefined {
  const { id, prepared, records } = failed;
  const undo = undoOf(prepared.plan, replay(records), id);
  if (prepared.operation === 'cluster.create')
    return state === 'Failed' ? requestFor(failed, undo) : undefined;
  const isOut = (node: string): boolean => isolated.has(node);
  return requestFor(failed, {
    operation: id,
    touched: undo.touched.filter(isOut),
    made: undo.made.filter(isOut),
  });
}

/** The rollback of an operation that fails at its last step. */
export const rollbackOfAll = (failed: Failed): OperationRequest | undefined =>
  requestFor(failed, undoOfAll(failed.prepared.plan, 'THIS-OPERATION'));

function requestFor({ request, prepared, options }: Failed, undo: Undo): OperationRequest | undefined {
  const { operation, declaration, nodes } = prepared;
  if (!options.rollback || declaration.cluster.format !== 'eggo') return undefined;
  const touched =
    operation === 'node.join' ? undo.touched.filter((node) => nodes.includes(node)) : undo.touched;
  if (touched.length === 0) return undefined;
  const base = {
    ...request,
    hooks: [],
    force: true,
    undo: { ...undo, touched, made: undo.made.filter((node) => touched.includes(node)) },
  };
  if (operation === 'cluster.create') return { ...base, verb: 'cleanup', nodes: [] };
  return operation === 'node.join' ? { ...base, verb: 'delete', nodes: touched } : undefined;
}

/** The plan of a rollback, including nodes that no file lists and that should join. */
export const prepareRollback = (
  request: OperationRequest,
  members: Members,
  failed: PreparedOperation,
  checks?: PrepareChecks,
): Promise<PreparedOperation> =>
  prepare(request, { ...members, added: [...members.added, ...failed.added] }, checks);

/** Records in the failed operation what its rollback has undone, so that a retry runs it again. */
export async function noteUndone(failed: Assignment, { request, prepared, id }: Assignment): Promise<void> {
  const { clusterFolder } = failed;
  const progress = replay(operationIn(clusterFolder, id).records);
  const nodes = undoneNodes(prepared.plan, progress, request.undo ?? { touched: [] });
  const tasks = undoneTasks(failed.prepared.plan, nodes);
  const record: JournalRecord = { type: 'undone', at: systemClock.now(), tasks };
  const journal = openJournalFile(journalPath(operationFolder(clusterFolder, failed.id)));
  try {
    await journal.append(record);
  } catch (error) {
    const unwritten = new UnwrittenRecord(failed.id, record, error);
    throw unwrittenJournal(unwritten, { ...failed, isBegun: true });
  } finally {
    await journal.close();
  }
}
