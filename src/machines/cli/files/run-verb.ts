import { operationId } from './operation-id.ts';
import { ExitError } from '#command/exit.ts';
import type { Given } from '#command/given.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { replay } from '#machines/decide/progress.ts';
import { systemClock } from '#edge/clock.ts';
import { admitOperation, recordedObstacle, type AdmittedOperation } from './admit-operation.ts';
import { carryOut } from './carry-out.ts';
import { demandYes, isConfirmed } from './confirm.ts';
import { clusterFolder, lastOperation, type PastOperation } from './folders.ts';
import { jsonDisplay } from './json-display.ts';
import { readMembers } from './members.ts';
import { runOptionsOf, requestOf, type OperationRequest, type RunOptions } from './options.ts';
import { plainDisplay } from './plain-display.ts';
import { clusterIdOf, prepare, type PreparedOperation } from './prepare.ts';
import { printable } from './printable.ts';
import { removalTexts } from './removal-text.ts';
import { recordedRequest } from './request-record.ts';
import { assignmentFor, plannedIn } from './run-again.ts';
import { showOutline, showPlan } from './show-plan.ts';
import { settingsAgain } from './started-with.ts';
import type { Verb } from './verbs.ts';
import { refuseBusy, withLock } from './with-lock.ts';

/** Runs a command that changes machines. */
export async function runVerb(verb: Verb, given: Given, nodes: readonly string[]): Promise<number> {
  const request = requestOf(verb, given, nodes);
  const options = runOptionsOf(given);
  const folder = clusterFolder(options.dataDir, clusterIdOf(request));
  const members = readMembers(folder);
  // Before the lock: an invalid request leaves nothing behind.
  const prepared = await prepare(request, members);
  checkWarnings(prepared.plan.notes, options);
  const last = lastOperation(folder);
  const tell = (event: ProgressEvent): void => showEvent(event, options);
  const asked = { request, prepared, clusterFolder: folder, options, last, tell };
  if (options.dryRun) {
    const obstacle = recordedObstacle(asked);
    const noted = withNotes(prepared, obstacle === undefined ? [] : [obstacle]);
    await showPlan({ request, prepared: noted, members, folder }, options);
    return 0;
  }
  refuseBusy(folder, options);
  const removal = removalTexts(prepared);
  for (const text of removal) demandYes(text, options.yes);
  if (last !== undefined && isRepeated(last, request)) return goOn(last, { request, options, folder });
  const admitted = await admitOperation(asked);
  if (admitted.type === 'nothing') return leaveAlone(admitted, options);
  const final = await prepare(admitted.request, members);
  showOutline(final.plan, options);
  for (const question of [...removal, ...admitted.questions]) {
    demandAnswer(question, options);
    if (!(await isConfirmed(question, options.yes))) return declined();
  }
  const id = newId(verb);
  const noted = withNotes(final, admitted.notes);
  const assignment = { id, request: admitted.request, prepared: noted, members, options };
  return withLock(folder, request, options, () =>
    carryOut({ ...assignment, records: [], clusterFolder: folder }),
  );
}

const showEvent = (event: ProgressEvent, { json }: RunOptions): void => {
  const write = (text: string): void => void process.stdout.write(text);
  (json ? jsonDisplay(write) : plainDisplay(write)).show(event);
};

/** Without a terminal, `--adopt` also confirms the question. */
const demandAnswer = (question: string, { yes, adopt }: RunOptions): void =>
  demandYes(question, yes || adopt);

function declined(): number {
  process.stderr.write('Nothing was changed.\n');
  return 130;
}

function leaveAlone(admitted: Extract<AdmittedOperation, { type: 'nothing' }>, { json }: RunOptions): number {
  const message = printable(admitted.message);
  process.stdout.write(json ? `${JSON.stringify({ type: 'message', message })}\n` : `${message}\n`);
  return 0;
}

const withNotes = (prepared: PreparedOperation, notes: readonly string[]): PreparedOperation => ({
  ...prepared,
  plan: {
    ...prepared.plan,
    notes: [...prepared.plan.notes, ...notes.map((message) => ({ type: 'notice' as const, message }))],
  },
});

/** Interrupted removals and upgrades continue; interrupted creations and joins need `resume`. */
function isRepeated({ records }: PastOperation, { verb, nodes, force }: OperationRequest): boolean {
  if (verb === 'deploy' || verb === 'bootstrap' || verb === 'join' || force) return false;
  const planned = plannedIn(records);
  const isOpen = records.some(({ type }) => type === 'opened') && replay(records).closed === undefined;
  if (!isOpen || planned === undefined) return false;
  const stored = recordedRequest(planned.request);
  return stored.verb === verb && stored.nodes.join() === nodes.join();
}

async function goOn(
  last: PastOperation,
  {
    request,
    options,
    folder,
  }: { readonly request: OperationRequest; readonly options: RunOptions; readonly folder: string },
): Promise<number> {
  const planned = plannedIn(last.records);
  const again =
    planned === undefined ? { request, options } : settingsAgain(planned, { request, options }, none);
  return withLock(folder, again.request, again.options, async () => {
    const assignment = await assignmentFor(last, again.request, again.options);
    showOutline(assignment.prepared.plan, options);
    return carryOut(assignment);
  });
}

const none: ReadonlySet<string> = new Set();

const newId = (verb: Verb): string => operationId(systemClock.now(), verb, process.pid);

function checkWarnings(
  notes: readonly { readonly type: string; readonly message: string }[],
  { strict }: RunOptions,
): void {
  const warnings = notes.filter(({ type }) => type === 'warning');
  if (strict && warnings.length > 0)
    throw new ExitError(2, warnings.map(({ message }) => message).join('\nboathook: '));
}
