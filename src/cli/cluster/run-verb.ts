import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatTime } from '#base/time.ts';
import { ExitError } from '#cli/exit.ts';
import type { Given } from '#cli/given.ts';
import type { RunEnd } from '#control/machines/run-plan.ts';
import { planJson, planTable } from '#decide/machines/print-plan.ts';
import type { JournalRecord } from '#decide/machines/progress.ts';
import { exitCodeOf, type Verdict } from '#decide/machines/verdict.ts';
import { systemClock } from '#edge/clock.ts';
import type { Display } from './display.ts';
import { earlierOf } from './earlier.ts';
import { clusterFolder, lastOperation, openArtifacts, type PastOperation } from './folders.ts';
import { interruptible } from './interrupt.ts';
import { holderText, lockHolder, takeLock } from './lock.ts';
import { membersAfter, readMembers, writeMembers } from './members.ts';
import { operate, type Assignment } from './operate.ts';
import { runOptionsOf, requestOf, type Request, type RunOptions } from './options.ts';
import { openDisplay } from './open-display.ts';
import { clusterIdOf, prepare } from './prepare.ts';
import { rollbackOf } from './rollback.ts';
import { endText } from './summary.ts';
import type { Verb } from './verbs.ts';

/** A verb that changes machines. */
export async function runVerb(verb: Verb, given: Given, nodes: readonly string[]): Promise<number> {
  const request = requestOf(verb, given, nodes);
  const options = runOptionsOf(given);
  const folder = clusterFolder(options.dataDir, clusterIdOf(request));
  if (options.dryRun) return printPlan(request, options, folder);
  const last = lastOperation(folder);
  if (last !== undefined && isInterrupted(last, request) && !request.force)
    return withLock(folder, request, options, async () => continueOperation(last, request, options, []));
  // Before the lock: a request that cannot be right leaves nothing behind.
  const members = readMembers(folder);
  const prepared = await prepare(request, members);
  checkWarnings(prepared.plan.notes, options);
  const assignment = { request, prepared, records: [], clusterFolder: folder, members, options };
  return withLock(folder, request, options, () => carryOut({ ...assignment, id: newId(verb) }));
}

/** `resume` and `retry`: the last operation of the cluster, from where its journal stands. */
export async function runAgain(kind: 'resume' | 'retry', given: Given): Promise<number> {
  const asked = requestOf('deploy', given, []);
  const options = runOptionsOf(given);
  const folder = clusterFolder(options.dataDir, clusterIdOf(asked));
  const last = lastOperation(folder);
  const stored = last === undefined ? undefined : requestIn(last.records);
  if (last === undefined || stored === undefined)
    throw new ExitError(2, `There is no operation to ${kind} for this cluster under ${options.dataDir}`);
  const holder = kind === 'retry' ? lockHolder(folder) : undefined;
  if (holder !== undefined) {
    process.kill(holder.pid, 'SIGUSR2');
    process.stdout.write(`Asked ${holderText(holder)} to try again now\n`);
    return 0;
  }
  const parallel = given['keepParallel'] === true ? stored.parallel : asked.parallel;
  const retries = given['retries'] === undefined ? stored.retries : asked.retries;
  const request: Request = {
    ...stored,
    force: stored.force || asked.force,
    parallel,
    ...(retries !== undefined && { retries }),
  };
  const more: readonly JournalRecord[] = kind === 'retry' ? [{ type: 'retried', at: systemClock.now() }] : [];
  return withLock(folder, request, options, () => continueOperation(last, request, options, more));
}

const requestIn = (records: readonly JournalRecord[]): Request | undefined =>
  records.flatMap((record) => (record.type === 'planned' ? [record.request as unknown as Request] : []))[0];

async function printPlan(request: Request, options: RunOptions, folder: string): Promise<number> {
  const { plan } = await prepare(request, readMembers(folder));
  checkWarnings(plan.notes, options);
  const earlier = earlierOf(folder, plan.operation);
  process.stdout.write(
    options.json
      ? `${JSON.stringify(planJson(plan, earlier), null, 2)}\n`
      : planTable(plan, earlier, process.stdout.columns),
  );
  return 0;
}

/** Killed, or cut off from power: begun, not ended, and nobody at work. */
const isInterrupted = ({ records }: PastOperation, { verb, nodes }: Request): boolean => {
  const stored = requestIn(records);
  const isOpen = records.some(({ type }) => type === 'opened') && records.at(-1)?.type !== 'closed';
  return isOpen && stored?.verb === verb && stored.nodes.join() === nodes.join();
};

/** Names sort by time. */
const newId = (verb: Verb): string =>
  `${formatTime(systemClock.now()).replaceAll(/[-:]/g, '')}-${verb}-${process.pid.toString(36)}`;

async function continueOperation(
  { id, records }: PastOperation,
  request: Request,
  options: RunOptions,
  more: readonly JournalRecord[],
): Promise<number> {
  const folder = clusterFolder(options.dataDir, clusterIdOf(request));
  const members = readMembers(folder);
  const prepared = await prepare(request, members);
  const all = [...records, ...more];
  return carryOut({ id, request, prepared, records: all, clusterFolder: folder, members, options }, more);
}

async function carryOut(assignment: Assignment, more: readonly JournalRecord[] = []): Promise<number> {
  const { prepared, options, records } = assignment;
  const display = openDisplay(prepared.plan, options.json);
  try {
    for (const { type, message } of prepared.plan.notes) display.say(`${type}: ${message}`);
    if (records.length > 0) display.say(`Continuing ${assignment.id}: what has ended is not run again`);
    if (options.insecure)
      display.say(
        'warning: host keys are not checked: whoever answers at an address is trusted with the login',
      );
    return await interruptible(async (signal) => {
      const end = await operate(assignment, (event) => display.show(event), signal, more);
      const code = codeOf(end, options);
      const undo = end.type === 'ended' ? rollbackOf(assignment, end.verdict) : undefined;
      display.say(endText(end, assignment, undo !== undefined));
      if (end.type === 'ended') await afterwards(assignment, end.verdict, display, signal);
      return code;
    });
  } finally {
    display.close();
  }
}

/** What the end of an operation brings with it: who belongs to the cluster now, and eggo's clean-up. */
async function afterwards(
  assignment: Assignment,
  verdict: Verdict,
  display: Display,
  signal: AbortSignal,
): Promise<void> {
  const { clusterFolder: folder, members, prepared } = assignment;
  writeMembers(folder, membersAfter(members, prepared, verdict));
  if (prepared.operation === 'cluster.delete' && verdict.state === 'Succeeded')
    rmSync(openArtifacts(folder).folder, { recursive: true, force: true });
  const request = rollbackOf(assignment, verdict);
  if (request === undefined || signal.aborted) return;
  display.say(`Rolling back: ${request.verb} ${request.nodes.join(' ')}`.trimEnd());
  const undone = await prepare(request, { ...members, added: [...members.added, ...prepared.added] });
  const id = `${assignment.id}-rollback`;
  const rollback = { ...assignment, id, request, prepared: undone, records: [] };
  const end = await operate(rollback, (event) => display.show(event), signal, []);
  display.say(endText(end, rollback, false));
}

function codeOf(end: RunEnd, { strict }: RunOptions): number {
  switch (end.type) {
    case 'ended':
      return exitCodeOf(end.verdict, strict);
    case 'locked':
    case 'taken-over':
      return 3;
    case 'unreachable':
      return 5;
  }
}

function checkWarnings(
  notes: readonly { readonly type: string; readonly message: string }[],
  { strict }: RunOptions,
): void {
  const warnings = notes.filter(({ type }) => type === 'warning');
  if (strict && warnings.length > 0)
    throw new ExitError(2, warnings.map(({ message }) => message).join('\nboathook: '));
}

async function withLock(
  folder: string,
  { verb }: Request,
  { dataDir }: RunOptions,
  work: () => Promise<number>,
): Promise<number> {
  const lock = takeLock(folder, `boathook cluster ${verb}`, formatTime(systemClock.now()));
  if (lock.type === 'held')
    throw new ExitError(
      3,
      `The cluster is being worked on by ${holderText(lock.holder)}: wait for it, or stop it (${join(dataDir, 'machines')})`,
    );
  try {
    return await work();
  } finally {
    lock.release();
  }
}
