import { oneOf } from '#command/chosen-names.ts';
import type { NamespacedFlags } from '#command/in-cluster.ts';
import { readLocatedObjects } from '#command/located-objects.ts';
import { printJson, printLine, wantsJson } from '#command/print.ts';
import { profileNames } from '#embedded/nodes/tuning/profiles.ts';
import { registrationHtml } from '#rehearse/registrations/registration-html.ts';
import { registrationLines } from '#rehearse/registrations/registration-lines.ts';
import { registrationExitCode } from '#rehearse/registrations/registration-report.ts';
import { checkGiven } from '#cli/rehearse/given-objects.ts';
import { horizonOf } from '#cli/rehearse/rehearse-flags.ts';
import { rehearsedSeeds, seedsOf } from '#cli/rehearse/seeds.ts';
import type { RehearsedProduct } from '#cli/rehearse/virtual-cluster.ts';
import { worstExitCode } from '#cli/rehearse/worst-exit-code.ts';
import { checkPage, writePage } from '#cli/rehearse/write-page.ts';
import { readLiveRegistrations } from './live-registration-objects.ts';
import { answersOf } from './registration-answers.ts';
import { planRegistration } from './registration-plan.ts';
import { rehearseRegistration } from './rehearse-registration.ts';

export type RehearseRegistrationFlags = NamespacedFlags & {
  readonly filename?: readonly string[];
  readonly edit?: readonly string[];
  readonly fromCluster?: string;
  readonly hook?: readonly string[];
  readonly liveHooks?: boolean;
  readonly horizon: string;
  readonly profile: string;
  readonly seed: string;
  readonly html?: string;
  readonly output?: string;
};

/** `boathook rehearse registration`. */
export async function rehearseRegistrationCommand(
  flags: RehearseRegistrationFlags,
  loadProduct: () => Promise<RehearsedProduct>,
): Promise<number> {
  const isJson = wantsJson(flags);
  const seeds = seedsOf(flags.seed, '1');
  checkPage(flags.html);
  const { filename = [], edit = [], fromCluster } = flags;
  const settings = {
    hooks: answersOf(flags.hook ?? []),
    isLive: flags.liveHooks === true,
    horizon: horizonOf(flags.horizon),
    profile: oneOf('--profile', flags.profile, profileNames),
  };
  checkGiven(filename, fromCluster);
  const before = [
    ...(fromCluster === undefined ? [] : await readLiveRegistrations(flags, fromCluster)),
    ...readLocatedObjects(filename).map(({ value }) => value),
  ];
  const edits = readLocatedObjects(edit).map(({ value }) => value);
  const plan = planRegistration(before, edits, settings);
  const product = await loadProduct();
  const reports = await rehearsedSeeds(seeds, (seed) => rehearseRegistration(product, plan, seed));
  if (isJson) printJson({ rehearsals: reports });
  else for (const line of reports.flatMap(registrationLines)) printLine(line);
  if (flags.html !== undefined) writePage(flags.html, registrationHtml(reports));
  return worstExitCode(reports.map(({ outcome }) => registrationExitCode(outcome)));
}
