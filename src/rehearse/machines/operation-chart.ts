import { clockText, spanText } from '#rehearse/span-text.ts';
import { htmlText } from '#rehearse/html-page.ts';
import { machineName } from './operation-lines.ts';
import type { OperationReport, RehearsedTask } from './operation-report.ts';

const [width, left, top, rowHeight, bottom] = [960, 150, 12, 34, 36];
const plotWidth = width - left - 16;

/** The tasks of an operation over time as an SVG: a row for each machine, a bar for each attempt. */
export function operationChart(report: OperationReport): string {
  const { tasks, rollback, machines } = report;
  const undone = rollback.type === 'Runs' ? rollback.tasks : [];
  const end = Math.max(1, endOf(report));
  const rows = rowsOf(
    machines.map(({ node }) => node),
    [...tasks, ...undone],
  );
  const height = top + rows.length * rowHeight + bottom;
  const x = (at: number): number => round(left + (Math.min(at, end) / end) * plotWidth);
  const bar = (task: RehearsedTask, isUndo: boolean): string =>
    barOf(task, rows.indexOf(task.node), { end, x, isUndo });
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${htmlText(labelOf(report))}">`,
    ...rows.map(
      (node, row) =>
        `<rect class="band${row % 2 === 0 ? ' even' : ''}" x="0" y="${top + row * rowHeight}" width="${width}" height="${rowHeight}"/><text class="name" x="8" y="${top + row * rowHeight + 21}">${htmlText(shortName(machineName(node)))}</text>`,
    ),
    ...tasks.map((task) => bar(task, false)),
    ...undone.map((task) => bar(task, true)),
    ...(rollback.type === 'Runs'
      ? [
          `<line class="promise" x1="${x(rollback.startedAt)}" x2="${x(rollback.startedAt)}" y1="${top}" y2="${height - bottom}"/>`,
        ]
      : []),
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<text class="time${share === 1 ? ' last' : ''}" x="${x(share * end)}" y="${height - 14}">${clockText(share * end)}</text>`,
    ),
    '</svg>',
  ].join('\n');
}

function endOf({ seconds, rollback }: OperationReport): number {
  return rollback.type === 'Runs' ? Math.max(seconds, rollback.startedAt + rollback.seconds) : seconds;
}

/** The machines of the file first, then the computer of the user if scripts run there. */
const rowsOf = (machines: readonly string[], tasks: readonly RehearsedTask[]): readonly string[] => [
  ...new Set([...machines, ...tasks.map(({ node }) => node)]),
];

type BarPlace = { readonly end: number; readonly x: (at: number) => number; readonly isUndo: boolean };

function barOf(task: RehearsedTask, row: number, { end, x, isUndo }: BarPlace): string {
  const { startedAt, endedAt = end, title, result } = task;
  const from = x(startedAt);
  const size = Math.max(2, round(x(endedAt) - from));
  const style = isUndo ? 'undo' : styles[result];
  const y = top + row * rowHeight;
  const shown =
    size > 7 * title.length
      ? `<text class="step on" x="${round(from + size / 2)}" y="${y + 21}">${htmlText(title)}</text>`
      : '';
  return `<rect class="bar ${style}" x="${from}" y="${y + 5}" width="${size}" height="${rowHeight - 10}"><title>${htmlText(`${title} at ${clockText(startedAt)}, ${spanText(endedAt - startedAt)}: ${result}`)}</title></rect>${shown}`;
}

const styles: Readonly<Record<RehearsedTask['result'], string>> = {
  succeeded: 'good',
  unchanged: 'same',
  failed: 'bad',
  'timed out': 'bad',
  unreachable: 'bad',
  unknown: 'bad',
  cancelled: 'same',
  running: 'same',
};

const round = (value: number): number => Math.round(value * 10) / 10;
const shortName = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name);

const labelOf = ({ machines, tasks, verb }: OperationReport): string =>
  `Steps of ${verb} over time: ${tasks.length} on ${machines.length} machines`;
