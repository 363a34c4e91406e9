import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneOf } from '#command/chosen-names.ts';
import { ExitError } from '#command/exit.ts';
import { flagsOf } from '#command/flags.ts';
import type { Given } from '#command/given.ts';
import { printJson, printLine } from '#command/print.ts';
import { readClusterRecord } from '#machines/cli/files/cluster-record.ts';
import { clusterFolder } from '#machines/cli/files/folders.ts';
import { readMembers } from '#machines/cli/files/members.ts';
import { requestOf, runOptionsOf } from '#machines/cli/files/options.ts';
import { clusterIdOf, prepare, type PreparedOperation } from '#machines/cli/files/prepare.ts';
import { removalTexts } from '#machines/cli/files/removal-text.ts';
import { isVerb, verbs, type Verb } from '#machines/cli/files/verbs.ts';
import { isOlder } from '#machines/decide/admission.ts';
import { operationHtml } from '#rehearse/machines/operation-html.ts';
import { operationSeedsHtml } from '#rehearse/machines/operation-seeds-html.ts';
import { operationLines } from '#rehearse/machines/operation-lines.ts';
import { operationExitCode } from '#rehearse/machines/operation-report.ts';
import {
  operationSeeds,
  operationSeedsLines,
  type SeededOperations,
} from '#rehearse/machines/operation-seeds.ts';
import { horizonOf } from '#cli/rehearse/rehearse-flags.ts';
import { rehearsedSeeds, seedsOf } from '#cli/rehearse/seeds.ts';
import { worstExitCode } from '#cli/rehearse/worst-exit-code.ts';
import { checkPage, writePage } from '#cli/rehearse/write-page.ts';
import { fromVersion } from './from-version.ts';
import { failuresOf, spansOf, troublesOf } from './machine-rules.ts';
import { checkRules } from './named-steps.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import { rehearseOperation } from './rehearse-operation.ts';

/** `boathook rehearse cluster`: the exit code is that of the worst outcome. */
export async function rehearseCluster(verb: string, given: Given, nodes: readonly string[]): Promise<number> {
  if (!isVerb(verb))
    throw new ExitError(2, `"${verb}" is not a verb. Valid values: ${Object.keys(verbs).join(', ')}`);
  const flags = flagsOf(given);
  const seeds = seedsOf(flags.text('seed') ?? '1', flags.text('runs') ?? '1');
  const page = flags.text('html');
  checkPage(page);
  const copies = mkdtempSync(join(tmpdir(), 'boathook-rehearsal-'));
  try {
    const plan = await planOf(verb, given, nodes, copies);
    const reports = await rehearsedSeeds(seeds, (seed) => rehearseOperation(plan, seed));
    print(reports, plan.options.json);
    if (page !== undefined) writePage(page, pageOf(reports));
    return worstExitCode(reports.map(({ outcome }) => operationExitCode(outcome)));
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

async function planOf(
  verb: Verb,
  given: Given,
  nodes: readonly string[],
  copies: string,
): Promise<RehearsedOperation> {
  const flags = flagsOf(given);
  const request = requestOf(verb, given, nodes);
  const options = runOptionsOf(given);
  const rules = {
    spans: spansOf(flags.texts('step')),
    failures: failuresOf(flags.texts('fail')),
    troubles: troublesOf(flags.texts('machine')),
  };
  const horizon = horizonOf(flags.text('horizon') ?? '24h');
  const approve = oneOf('--approve', flags.text('approve') ?? 'auto', ['auto', 'never'] as const);
  const folder = clusterFolder(options.dataDir, clusterIdOf(request));
  const members = readMembers(folder);
  const prepared = await prepare(request, members, { keys: false });
  checkRules(prepared.plan, rules);
  const { version } = prepared.declaration.cluster;
  const versionBefore = fromVersion(flags.text('fromVersion'), version) ?? readClusterRecord(folder)?.version;
  return {
    request,
    options,
    members,
    prepared,
    versionBefore,
    rules,
    horizon,
    copies,
    questions: [...removalTexts(prepared), ...downgradeTexts(prepared, versionBefore)],
    isApproved: approve === 'auto',
  };
}

function downgradeTexts(
  { operation, declaration: { cluster } }: PreparedOperation,
  before: string | undefined,
): readonly string[] {
  const { version, id } = cluster;
  if (!operation.endsWith('upgrade') || version === undefined || before === undefined) return [];
  return isOlder(version, before) ? [`${id} has version ${before}: this is a downgrade to ${version}`] : [];
}

const pageOf = ([first, ...others]: SeededOperations): string =>
  others.length === 0 ? operationHtml(first) : operationSeedsHtml([first, ...others]);

function print(reports: SeededOperations, isJson: boolean): void {
  const [first, ...others] = reports;
  const isOne = others.length === 0;
  if (isJson) {
    printJson(isOne ? { rehearsals: reports } : { summary: operationSeeds(reports), rehearsals: reports });
    return;
  }
  for (const line of isOne ? operationLines(first) : operationSeedsLines(reports)) printLine(line);
}
