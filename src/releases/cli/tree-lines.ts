import type { Instant } from '#base/time.ts';
import { columnWidths, rowLine } from '#command/columns.ts';
import {
  fittedLine,
  oneLine,
  plain,
  styled,
  type StyledLine,
  type StyledText,
} from '#command/styled-line.ts';
import type { PodRow } from '#releases/decide/view/pod-row.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { RevisionBranch } from '#releases/decide/view/revision-branch.ts';
import type { RunView } from '#releases/decide/view/run-view.ts';
import { metricText } from './metric-text.ts';
import { ageText, hasShortImages, hookPointText, imagesText } from './release-words.ts';
import { markOf, toneOf } from './tone.ts';

export type TreeLayout = {
  readonly columns: number;
  readonly now: Instant;
  readonly isWide: boolean;
  /** Pods of a revision that are shown; those that are not in service come first. */
  readonly mostPods: number;
};

/** A pod is a row of a table; everything else takes the whole line. `stem`: the branches of the tree before it. */
type TreeRow =
  | { readonly type: 'pod'; readonly stem: string; readonly pod: PodRow }
  | { readonly type: 'text'; readonly stem: string; readonly text: StyledLine };

/** Revisions, their pods and their hook runs as a tree. */
export function treeLines({ revisions }: ReleaseView, layout: TreeLayout): readonly StyledLine[] {
  const rows = revisions.flatMap((revision, i) => branchRows(revision, i === revisions.length - 1, layout));
  const header = [
    'NAME',
    'STATUS',
    'READY',
    'RESTARTS',
    'AGE',
    'GATE',
    ...(layout.isWide ? ['NODE', 'IP'] : []),
  ];
  const cells = rows.flatMap((row) => (row.type === 'pod' ? [podCells(row.stem, row.pod, layout)] : []));
  const titles = header.map((text): StyledText => ({ text, tone: 'faint' }));
  const widths = columnWidths([titles, ...cells], {
    columns: layout.columns,
    narrowing: [
      [6, 8],
      [0, 20],
      [1, 8],
    ],
  });
  const lines = rows.map((row) =>
    row.type === 'pod'
      ? rowLine(podCells(row.stem, row.pod, layout), widths)
      : [{ text: row.stem, tone: 'faint' } as const, ...row.text],
  );
  return [...(cells.length === 0 ? [] : [rowLine(titles, widths)]), ...lines].map((line) =>
    fittedLine(line, layout.columns),
  );
}

function branchRows(revision: RevisionBranch, isLast: boolean, layout: TreeLayout): readonly TreeRow[] {
  const below = isLast ? '   ' : '│  ';
  const pods = shownPods(revision.pods, layout.mostPods);
  const hidden = revision.pods.length - pods.length;
  const leaves: readonly ((stem: string, below: string) => readonly TreeRow[])[] = [
    ...pods.map((pod) => (stem: string): readonly TreeRow[] => [{ type: 'pod', stem, pod }]),
    ...(hidden === 0
      ? []
      : [(stem: string): readonly TreeRow[] => [{ type: 'text', stem, text: [hiddenText(hidden)] }]]),
    ...revision.runs.map((run) => (stem: string, under: string) => runRows(run, { stem, under }, layout.now)),
  ];
  return [
    { type: 'text', stem: isLast ? '└─ ' : '├─ ', text: revisionText(revision, layout) },
    ...leaves.flatMap((leaf, i) => {
      const isLastLeaf = i === leaves.length - 1;
      return leaf(`${below}${isLastLeaf ? '└─ ' : '├─ '}`, `${below}${isLastLeaf ? '   ' : '│  '}`);
    }),
  ];
}

const hiddenText = (count: number): StyledText =>
  styled(`… and ${count} more ${count === 1 ? 'pod' : 'pods'} (-o wide shows all)`, 'faint');

/** All of them, or those that are not in service first. */
function shownPods(pods: readonly PodRow[], most: number): readonly PodRow[] {
  if (pods.length <= most) return pods;
  const urgent = pods.filter(({ isInService }) => !isInService);
  const others = pods.filter(({ isInService }) => isInService);
  return [...urgent, ...others].slice(0, Math.max(0, most));
}

function revisionText(
  { name, number, roles, images, replicas }: RevisionBranch,
  { columns }: TreeLayout,
): StyledLine {
  const title = number === 0 ? 'revision' : `revision ${number}`;
  const role = roles.length === 0 ? '' : ` (${roles.join(', ')})`;
  const { total, inService } = replicas;
  const count = total === 0 ? 'no pods' : `${inService} of ${total} pods in service`;
  return [
    styled(`${title}${role}`, 'strong'),
    { text: '  ' },
    plain(imagesText(images, hasShortImages(columns))),
    { text: `  ${count}  ` },
    styled(name, 'faint'),
  ];
}

function runRows(
  run: RunView,
  { stem, under }: { readonly stem: string; readonly under: string },
  now: Instant,
): readonly TreeRow[] {
  const tone = toneOf(run.phase);
  const head: StyledLine = [
    styled(`${markOf(run.phase)} ${hookPointText(run)}: ${run.phase}`, tone),
    { text: `  ${ageText(run.finishedAt ?? run.created, now)}  ` },
    styled(run.name, 'faint'),
  ];
  return [
    { type: 'text', stem, text: head },
    ...run.metrics.map((metric): TreeRow => {
      return { type: 'text', stem: `${under}  `, text: [styled(metricText(metric), toneOf(metric.phase))] };
    }),
  ];
}

const troubled = /BackOff|^Err|Error|Invalid|OOMKilled|Failed|Evicted|Unknown/;

function podCells(stem: string, pod: PodRow, { now, isWide }: TreeLayout): readonly StyledText[] {
  const { name, status, isInService, containers, restarts, gate, created, node, address, leaving } = pod;
  const isBad = troubled.test(status);
  const tone = isInService ? 'good' : isBad ? 'bad' : 'waiting';
  const mark = isInService ? '✔' : isBad ? '✖' : '●';
  return [
    { text: `${stem}${mark} ${oneLine(name)}` },
    styled(leaving === undefined ? status : `${status}, leaving`, tone),
    plain(`${containers.ready}/${containers.total}`),
    { text: String(restarts), tone: restarts > 0 ? 'waiting' : undefined },
    { text: ageText(created, now) },
    styled(gate === 'none' ? '-' : gate, gate === 'shut' ? 'waiting' : undefined),
    ...(isWide ? [plain(node), plain(address)] : []),
  ];
}
