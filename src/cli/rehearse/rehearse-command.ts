import { textAt, type Json } from '#base/json.ts';
import { oneOf } from '#command/chosen-names.ts';
import { ExitError } from '#command/exit.ts';
import { readLocatedObjects, type LocatedObject } from '#command/located-objects.ts';
import { printAside, printJson, printLine, wantsJson } from '#command/print.ts';
import { profileNames } from '#embedded/nodes/tuning/profiles.ts';
import { exitCodeOf } from '#rehearse/rehearsal-report.ts';
import { reportHtml } from '#rehearse/report-html.ts';
import { reportLines } from '#rehearse/report-lines.ts';
import { seedsHtml } from '#rehearse/seeds-html.ts';
import { seedsLines } from '#rehearse/seeds-lines.ts';
import { summaryOfSeeds, type SeededReports } from '#rehearse/seeds-summary.ts';
import { checkGiven } from './given-objects.ts';
import { readLiveObjects } from './live-objects.ts';
import { longRehearsal } from './long-rehearsal.ts';
import { isNamed, planRehearsals, type RehearsePlans } from './plan-rehearsals.ts';
import { approveOf, changeOf, hooksOf, horizonOf, podsOf, type RehearseFlags } from './rehearse-flags.ts';
import { rehearseRelease } from './rehearse-release.ts';
import { rehearsedSeeds, seedsOf } from './seeds.ts';
import type { RehearsedProduct } from './virtual-cluster.ts';
import { worstExitCode } from './worst-exit-code.ts';
import { checkPage, writePage } from './write-page.ts';

/** `boathook rehearse`: the exit code is that of the worst outcome. */
export async function rehearseCommand(flags: RehearseFlags, product: RehearsedProduct): Promise<number> {
  const isJson = wantsJson(flags);
  const seeds = seedsOf(flags.seed, flags.runs);
  const { runs } = seeds;
  checkPage(flags.html);
  const { plans, unchanged } = await plansOf(flags);
  for (const title of unchanged) printAside(`${title} is like that already and is not rehearsed`);
  const all: SeededReports[] = [];
  for (const plan of plans) {
    const long = longRehearsal(plan, runs);
    if (long !== undefined) printAside(long);
    const reports = await rehearsedSeeds(seeds, (seed) => rehearseRelease(product, plan, seed));
    if (!isJson) print(reports, all.length === 0);
    all.push(reports);
  }
  if (isJson) printJson(asJson(all, runs));
  if (flags.html !== undefined) writePage(flags.html, runs === 1 ? reportHtml(all.flat()) : seedsHtml(all));
  return worstExitCode(all.flat().map(({ outcome }) => exitCodeOf(outcome)));
}

function print(reports: SeededReports, isFirst: boolean): void {
  if (!isFirst) printLine('');
  for (const line of reports.length === 1 ? reportLines(reports[0]) : seedsLines(reports)) printLine(line);
}

async function plansOf(flags: RehearseFlags): Promise<RehearsePlans> {
  const change = changeOf(flags.change ?? []);
  const hooks = hooksOf(flags.hook ?? []);
  const { filename = [], fromCluster } = flags;
  checkGiven(filename, fromCluster);
  const settings = {
    change,
    hooks,
    isLive: flags.liveHooks === true,
    pods: podsOf(flags.pods),
    approve: approveOf(flags.approve),
    horizon: horizonOf(flags.horizon),
    profile: oneOf('--profile', flags.profile, profileNames),
    fromCluster,
    isWanted: isNamed(flags.workload),
  };
  const documents: readonly Json[] = [
    ...(fromCluster === undefined ? [] : await readLiveObjects(flags, fromCluster)),
    ...readLocatedObjects(filename).map(withKind),
  ];
  return planRehearsals(documents, settings);
}

function withKind({ file, value, lineOf }: LocatedObject): Json {
  if ((textAt(value, 'kind') ?? '') !== '') return value;
  throw new ExitError(2, `${file}:${lineOf('')}: there is no kind: give apiVersion and kind`);
}

/** `summaries` has one for each workload. */
const asJson = (all: readonly SeededReports[], runs: number): Json =>
  runs === 1 ? { rehearsals: all.flat() } : { summaries: all.map(summaryOfSeeds), rehearsals: all.flat() };
