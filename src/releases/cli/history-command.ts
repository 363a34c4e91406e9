import { systemClock } from '#edge/clock.ts';
import { inCluster } from '#command/in-cluster.ts';
import { objectName, outputFormat, printOutput, type OutputFormat } from '#command/output.ts';
import { fittedLine, printedLine, styled, wantsColours, type StyledLine } from '#command/styled-line.ts';
import { terminalWidth } from '#command/terminal-width.ts';
import type { Instant } from '#base/time.ts';
import { revisions } from '#loop/owned/resources.ts';
import { ownedBy, ownedSelection } from '#releases/controller/workload-selection.ts';
import { historyRows, type HistoryRow } from '#releases/decide/view/history-row.ts';
import { findWorkload } from './find-workload.ts';
import { actLines, historyLines } from './history-lines.ts';
import { listSelected } from './read-view.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';

export type HistoryFlags = ReleaseFlags & { readonly color?: boolean };

/** `boathook release history NAME`: the releases of a workload with images, outcome and verdicts. */
export function historyCommand(workload: string, flags: HistoryFlags): Promise<number> {
  const format: OutputFormat | 'text' = outputFormat(flags, ['json', 'yaml', 'name', 'wide']);
  const hasColours = wantsColours(flags);
  return inCluster(flags, releaseAgent, async (cluster) => {
    const { workload: found } = await findWorkload(cluster, workload);
    const known = await listSelected(cluster, revisions, found, ownedSelection(found));
    const now = systemClock.now();
    const rows = historyRows(found, ownedBy(found, known), now);
    printOutput(format, {
      value: () => ({ items: rows }),
      names: () => rows.filter(({ revision }) => revision > 0).map(({ name }) => revisionName(name)),
      lines: (isWide) => linesOf(rows, now, isWide).map((line) => printedLine(line, hasColours)),
    });
    return 0;
  });
}

const revisionName = (name: string): string => objectName('ControllerRevision', 'apps', name);

/** The table, and below it what people did. */
export function linesOf(
  rows: readonly HistoryRow[],
  now: Instant,
  isWide: boolean,
  columns = terminalWidth() ?? Infinity,
): readonly StyledLine[] {
  const acts = rows.flatMap((row) => actLines(row, now));
  return [
    ...historyLines(rows, { columns, now, isWide }),
    ...(acts.length === 0 ? [] : [[], [styled('Requests:', 'faint')]]),
    ...acts.map((line) => fittedLine(line, isWide ? Infinity : columns)),
  ];
}
