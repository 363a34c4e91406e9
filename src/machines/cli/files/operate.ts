import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatTime, seconds } from '#base/time.ts';
import { runPlan, type RunEnd, type Work } from '#machines/engine/run-plan.ts';
import { UnwrittenRecord } from '#machines/engine/unwritten-record.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import type { Assignment } from './assignment.ts';
import { logPath, openArtifacts, operationFolder, writePlan } from './folders.ts';
import { lazyJournal } from './lazy-journal.ts';
import { withLocalCopies } from './local-copies.ts';
import { openOperationMachines } from './operation-machines.ts';
import { prepare } from './prepare.ts';
import { openSecrets } from './secrets.ts';
import { readSource } from './sources.ts';
import { unwrittenJournal } from './unwritten-journal.ts';

/** Runs the plan with the engine. `more`: the last of the records, not in the journal yet. */
export async function operate(
  assignment: Assignment,
  emit: (event: ProgressEvent) => void,
  signal: AbortSignal,
  more: readonly JournalRecord[],
): Promise<RunEnd> {
  const { id, prepared, request, clusterFolder, options } = assignment;
  const folder = operationFolder(clusterFolder, id);
  const secret = openSecrets(clusterFolder, id);
  const copies = join(clusterFolder, 'copies');
  const cluster = prepared.declaration.cluster.id;
  const machines = openOperationMachines({ id, cluster, clusterFolder, options }, emit);
  const journal = lazyJournal(assignment, folder);
  try {
    for (const record of more) {
      await journal.append(record).catch((error: unknown) => {
        throw new UnwrittenRecord(id, record, error);
      });
    }
    return await runPlan(
      workOf(assignment, await withLocalCopies(prepared.plan, copies)),
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
    if (!(error instanceof UnwrittenRecord)) throw error;
    throw unwrittenJournal(error, { request, options, isBegun: journal.isBegun() });
  } finally {
    await journal.close();
    machines.close();
    rmSync(copies, { recursive: true, force: true });
  }
}

function workOf({ id, prepared, request, options, records, whole }: Assignment, plan: MachinePlan): Work {
  return {
    id,
    plan,
    whole,
    nodes: new Map(prepared.declaration.cluster.nodes.map((node) => [node.name, node])),
    records,
    holder: `${hostname()} ${process.pid} ${formatTime(systemClock.now())} boathook cluster ${request.verb}`,
    leaseTouch: options.leaseTouch,
    leaseStale: options.leaseStale,
    patience: seconds(20),
    purge: options.purge,
  };
}

async function planAgain({ request, members, part }: Assignment, folder: string): Promise<MachinePlan> {
  const { plan } = await prepare(request, members);
  writePlan(folder, plan);
  return part?.(plan) ?? plan;
}

/** `boathook cluster retry` in another terminal. */
function onSignal(listener: () => void): () => void {
  process.on('SIGUSR2', listener);
  return () => void process.off('SIGUSR2', listener);
}
