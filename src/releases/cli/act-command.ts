import { parseDuration } from '#base/duration.ts';
import type { Millis } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { outputFormat } from '#command/output.ts';
import type { ActOptions, ReleaseVerb } from '#releases/decide/act-plan/act-plan.ts';
import { actOn, type ActFlags } from './acting-in.ts';
import { performAct } from './perform-act.ts';
import { printReport, reportFormats } from './release-report.ts';

export type WaitingFlags = ActFlags & { readonly wait?: string; readonly expect?: string };
export type PromoteFlags = WaitingFlags & {
  readonly full?: boolean;
  readonly toStep?: string;
  readonly skipHook?: boolean;
};

/** `boathook release promote`: ends the pause of a step, or skips its failed hook. */
export function promoteCommand(workload: string, flags: PromoteFlags): Promise<number> {
  const toStep = toStepOf(flags);
  const options = { toStep, skipHooks: flags.skipHook, expect: flags.expect };
  return act('promote', workload, flags, options);
}

/** `boathook release pause`, `resume`, `abort` and `retry`. */
export const actCommand = (
  verb: Exclude<ReleaseVerb, 'promote'>,
  workload: string,
  flags: WaitingFlags,
): Promise<number> => act(verb, workload, flags, { expect: flags.expect });

async function act(
  verb: ReleaseVerb,
  workload: string,
  flags: WaitingFlags,
  options: Omit<ActOptions, 'title'>,
): Promise<number> {
  const format = outputFormat(flags, reportFormats);
  const wait = waitOf(flags);
  return actOn(workload, flags, async (cluster, found, signed) => {
    const report = await performAct(cluster, found, { verb, options, signed, wait });
    return printReport(found, verb, report, format);
  });
}

function waitOf({ wait = '10s' }: WaitingFlags): Millis {
  const span = parseDuration(wait);
  if (span !== undefined) return span;
  throw new ExitError(2, `--wait ${wait} is not a duration: write it as 30s, 2m or 0`);
}

function toStepOf({ full = false, toStep }: PromoteFlags): number | 'full' | undefined {
  if (toStep === undefined) return full ? 'full' : undefined;
  if (full) throw new ExitError(2, 'give --full or --to-step, not both');
  if (/^[1-9]\d{0,5}$/.test(toStep)) return Number(toStep);
  throw new ExitError(2, `--to-step ${toStep} is not the number of a step: steps are counted from 1`);
}
