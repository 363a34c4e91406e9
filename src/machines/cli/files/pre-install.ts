import { ExitError } from '#command/exit.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { planOutline } from '#machines/decide/print-plan.ts';
import { replay, type JournalRecord } from '#machines/decide/progress.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import { againCommand } from './again-command.ts';
import { codeOf } from './end-code.ts';
import { operationIn } from './folders.ts';
import { interruptible } from './interrupt.ts';
import type { Assignment } from './assignment.ts';
import { operate } from './operate.ts';
import { openDisplay } from './open-display.ts';
import { prepare, type PreparedOperation } from './prepare.ts';
import { showOutline } from './show-plan.ts';
import { endText } from './summary.ts';

/** `bootstrap` runs `pre-install` before it reads the files and plans the rest: the hook may change them. */
const beforeFiles = (plan: MachinePlan): MachinePlan => ({
  ...plan,
  stages: plan.operation === 'bootstrap' ? plan.stages.filter(({ id }) => id === 'local-pre') : [],
});

/** The operation after `pre-install`, or the exit code when the hook failed. */
export async function afterPreInstall(
  assignment: Assignment,
  more: readonly JournalRecord[],
): Promise<Assignment | number> {
  const { prepared, records } = assignment;
  const plan = beforeFiles(prepared.plan);
  const isDone = verdictOf(plan, replay(records)).state === 'Succeeded';
  if (plan.stages.length === 0 || isDone) return assignment;
  const part: Assignment = {
    ...assignment,
    prepared: { ...prepared, plan },
    part: beforeFiles,
    whole: prepared.plan,
  };
  const code = await runPart(part, more);
  if (code !== 0) return code;
  const { clusterFolder, id, options } = assignment;
  const again = await preparedAgain(assignment);
  if (planOutline(again.plan) !== planOutline(prepared.plan)) showOutline(again.plan, options);
  return { ...assignment, prepared: again, records: operationIn(clusterFolder, id).records };
}

async function runPart(part: Assignment, more: readonly JournalRecord[]): Promise<number> {
  const { prepared, options } = part;
  const display = openDisplay(prepared.plan, options.json);
  // The operation continues after its first part.
  const show = (event: ProgressEvent): void => {
    if (event.type !== 'operation' || event.state !== 'Succeeded') display.show(event);
  };
  try {
    return await interruptible(async (signal) => {
      const end = await operate(part, show, signal, more);
      const code = codeOf(end, options);
      if (code !== 0) display.say(endText(end, part, false));
      return code;
    });
  } finally {
    display.close();
  }
}

async function preparedAgain({
  request,
  members,
  prepared,
  options,
}: Assignment): Promise<PreparedOperation> {
  const wayOn = (what: string): string =>
    `pre-install has run, and no machine was changed. ${what}, then resume: ${againCommand('resume', request, options)}`;
  const again = await prepare(request, members).catch((error: unknown) => {
    if (!(error instanceof ExitError)) throw error;
    throw new ExitError(error.code, `${error.message}\nboathook: ${wayOn('Fix this')}`);
  });
  const [before, after] = [prepared.plan.cluster, again.plan.cluster];
  if (before === after) return again;
  throw new ExitError(
    2,
    `pre-install has changed the name of the cluster from ${before} to ${after}. ${wayOn(`Name it ${before} again`)}`,
  );
}
