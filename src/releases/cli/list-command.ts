import { formatTime } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { ExitError } from '#command/exit.ts';
import { inCluster, type InCluster } from '#command/in-cluster.ts';
import {
  objectName,
  outputFormat,
  printOutput,
  streamedLines,
  type CommandOutput,
  type OutputFormat,
} from '#command/output.ts';
import { printAside, printLine } from '#command/print.ts';
import { printedLine, styled, wantsColours } from '#command/styled-line.ts';
import { terminalWidth } from '#command/terminal-width.ts';
import { parseLabelSelector, SelectorError } from '#kube/label-selector.ts';
import type { ReleaseSummary } from '#releases/decide/view/release-summary.ts';
import { releaseLine } from './change-lines.ts';
import { followReleases } from './follow-releases.ts';
import { inOrder, listFrame, listLines, type ListLayout } from './list-lines.ts';
import { readReleases, type ReadReleases, type ReleaseSelection } from './read-releases.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';
import { shortTitle } from './release-words.ts';
import { canRedraw, openTerminalView } from './terminal-view.ts';
import { untilInterruption } from './until-gone.ts';
import { workloadKinds } from './workload-name.ts';

export type ListFlags = ReleaseFlags & {
  readonly watch?: boolean;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly color?: boolean;
};

type Format = OutputFormat | 'text';
type Listing = {
  readonly format: Format;
  readonly selection: ReleaseSelection;
  readonly hasNamespaces: boolean;
  readonly hasColours: boolean;
};

/** `boathook release list`: all releases with phase, step, images and the reason why they wait. */
export function listCommand(flags: ListFlags): Promise<number> {
  const format: Format = outputFormat(flags, ['json', 'yaml', 'name', 'wide']);
  checkSelector(flags.selector);
  const hasNamespaces = flags.allNamespaces === true;
  return inCluster(flags, releaseAgent, async (cluster) => {
    const selection = {
      namespace: hasNamespaces ? undefined : cluster.namespace,
      labelSelector: flags.selector,
    };
    const listing = { format, selection, hasNamespaces, hasColours: wantsColours(flags) };
    const read = await readReleases(cluster, selection);
    for (const why of read.refused) printAside(`boathook: ${why}`);
    if (flags.watch !== true) {
      printList(read, listing);
      return read.refused.length === 0 ? 0 : 1;
    }
    return canRedraw() && (format === 'text' || format === 'wide')
      ? redrawn(cluster, read, listing)
      : printed(cluster, read, listing);
  });
}

function checkSelector(selector: string | undefined): void {
  if (selector === undefined) return;
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) throw new ExitError(2, `--selector ${selector}: ${error.message}`);
    throw error;
  }
}

function printList({ releases }: ReadReleases, listing: Listing): void {
  if (releases.length === 0 && (listing.format === 'text' || listing.format === 'wide')) {
    const { namespace } = listing.selection;
    printAside(namespace === undefined ? 'No releases.' : `No releases in namespace ${namespace}.`);
    return;
  }
  printOutput(listing.format, outputOf(inOrder(releases), listing));
}

const layoutOf = ({ format, hasNamespaces }: Listing, columns: number): ListLayout => ({
  columns,
  now: systemClock.now(),
  isWide: format === 'wide',
  hasNamespaces,
});

const outputOf = (releases: readonly ReleaseSummary[], listing: Listing): CommandOutput => ({
  value: () => ({ items: releases }),
  names: () => releases.map(nameFor),
  lines: () =>
    listLines(releases, layoutOf(listing, terminalWidth() ?? Infinity)).map((line) =>
      printedLine(line, listing.hasColours),
    ),
});

function nameFor({ kind, name }: ReleaseSummary): string {
  const group = workloadKinds.find((each) => each.kind === kind)?.resource.group ?? '';
  return objectName(kind, group, name);
}

/** Redraws the table in the terminal. */
async function redrawn(cluster: InCluster, { kinds }: ReadReleases, listing: Listing): Promise<number> {
  let changed = (): void => undefined;
  const onChange = (): void => changed();
  const followed = await followReleases(cluster, kinds, { selection: listing.selection, onChange });
  const view = openTerminalView(({ columns, rows }) => {
    const why = followed.trouble();
    const trouble = why === undefined ? [] : [[styled(`Not up to date, reconnecting: ${why}`, 'bad')]];
    const lines = listFrame(followed.releases(), layoutOf(listing, columns), rows - trouble.length);
    return [...lines, ...trouble].map((line) => printedLine(line, listing.hasColours));
  });
  changed = () => view.changed();
  return untilInterruption(cluster.whole, () => view.close());
}

/** Prints a line, or a document, for each release and for each change. */
async function printed(cluster: InCluster, { kinds }: ReadReleases, listing: Listing): Promise<number> {
  const shown = new Map<string, string>();
  const print = (release: ReleaseSummary): void => {
    const title = `${release.namespace}/${shortTitle(release)}`;
    const line = `${listing.hasNamespaces ? `${release.namespace}/` : ''}${releaseLine(release)}`;
    const isFirst = !shown.has(title);
    if (shown.get(title) === line) return;
    shown.set(title, line);
    const output = { ...outputOf([release], listing), value: () => release, isFirst };
    const lines = (): readonly string[] => [`${formatTime(systemClock.now())}  ${line}`];
    for (const each of streamedLines(listing.format, { ...output, lines })) printLine(each);
  };
  const onChange = (release: ReleaseSummary | undefined): void => {
    if (release !== undefined) print(release);
  };
  const followed = await followReleases(cluster, kinds, { selection: listing.selection, onChange });
  for (const release of inOrder(followed.releases())) print(release);
  return untilInterruption(cluster.whole, () => undefined);
}
