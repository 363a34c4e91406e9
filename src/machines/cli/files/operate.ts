import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatTime, seconds } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import { UnwrittenRecord } from '#machines/engine/unwritten-record.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { journalPath, logPath, openArtifacts, operationFolder, writePlan } from './folders.ts';
import { openJournalFile, type JournalFile } from './journal-file.ts';
import { withLocalCopies } from './local-copies.ts';
import type { Members } from './members.ts';
import { openOperationMachines } from './operation-machines.ts';
import type { OperationRequest, RunOptions } from './options.ts';
import { prepare, type PreparedOperation } from './prepare.ts';
import { requestRecord } from './request-record.ts';
import { openSecrets } from './secrets.ts';
import { readSource } from './sources.ts';
import { startedWith } from './started-with.ts';

/** One operation to run or to resume. */
export type Assignment = {
  readonly id: string;
  readonly request: OperationRequest;
  readonly prepared: PreparedOperation;
  readonly records: readonly JournalRecord[];
  readonly clusterFolder: string;
  readonly members: Members;
  readonly options: RunOptions;
  /** The part of the plan to run now. The operation stays open after it has succeeded. */
  readonly part?: (plan: MachinePlan) => MachinePlan;
};

/** Runs the plan with the engine. `more`: the last of the records, not in the journal yet. */
export async function operate(
  assignment: Assignment,
  emit: (event: ProgressEvent) => void,
  signal: AbortSignal,
  more: readonly JournalRecord[],
): Promise<RunEnd> {
  const { id, prepared, request, clusterFolder, options, records } = assignment;
  const folder = operationFolder(clusterFolder, id);
  const secret = openSecrets(clusterFolder, id);
  const copies = join(clusterFolder, 'copies');
  const cluster = prepared.declaration.cluster.id;
  const machines = openOperationMachines({ id, cluster, clusterFolder, options }, emit);
  const journal = lazyJournal(assignment, folder);
  try {
    for (const record of more) await journal.append(record);
    return await runPlan(
      {
        id,
        plan: await withLocalCopies(prepared.plan, copies),
        nodes: new Map(prepared.declaration.cluster.nodes.map((node) => [node.name, node])),
        records,
        holder: `${hostname()} ${process.pid} ${formatTime(systemClock.now())} boathook cluster ${request.verb}`,
        leaseTouch: options.leaseTouch,
        leaseStale: options.leaseStale,
        patience: seconds(20),
        purge: options.purge,
      },
      {
        clock: systemClock,
        random: systemRandom,
        machines,
        secret,
        append: (record) => journal.append(record),
        emit,
        source: readSource,
        artifacts: openArtifacts(clusterFolder),
        logFile: ({ step, node, attempt }) => logPath(folder, node, `${step}.${attempt}`),
        replan: async () => withLocalCopies(await planAgain(assignment, folder), copies),
        onRetry: onSignal,
      },
      signal,
    );
  } catch (error) {
    throw error instanceof UnwrittenRecord ? new ExitError(1, error.message) : error;
  } finally {
    await journal.close();
    machines.close();
    rmSync(copies, { recursive: true, force: true });
  }
}

async function planAgain({ request, members, part }: Assignment, folder: string): Promise<MachinePlan> {
  const { plan } = await prepare(request, members);
  writePlan(folder, plan);
  return part?.(plan) ?? plan;
}

const isEndOfPart = ({ part }: Assignment, record: JournalRecord): boolean =>
  part !== undefined && record.type === 'closed' && record.state === 'Succeeded';

/** `boathook cluster retry` in another terminal. */
function onSignal(listener: () => void): () => void {
  process.on('SIGUSR2', listener);
  return () => void process.off('SIGUSR2', listener);
}

/** The folder of an operation is created with its first record, so that an operation that never starts leaves nothing. */
function lazyJournal(
  assignment: Assignment,
  folder: string,
): { append(record: JournalRecord): Promise<void>; close(): Promise<void> } {
  const { id, prepared, request, records, options } = assignment;
  let opened: Promise<JournalFile> | undefined;
  const begin = async (): Promise<JournalFile> => {
    writePlan(folder, prepared.plan);
    const file = openJournalFile(journalPath(folder));
    if (records.length === 0)
      void file.append({
        type: 'planned',
        at: systemClock.now(),
        id,
        cluster: prepared.plan.cluster,
        operation: prepared.operation,
        request: requestRecord(request),
        startedWith: startedWith(options),
      });
    return file;
  };
  return {
    async append(record) {
      if (isEndOfPart(assignment, record)) return;
      opened ??= begin();
      await (await opened).append(record).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`${journalPath(folder)}: ${why}`, { cause: error });
      });
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
