import { figures, isReached, type Figure, type FigureId } from './figures.ts';
import type { Measurement } from './measurement.ts';

export type Surroundings = {
  readonly quick: boolean;
  readonly node: string;
  readonly cores: number;
  readonly durableWritesPerSecond: number;
  readonly loadAverage: number;
};

type ReportRow = {
  readonly id: FigureId;
  readonly title: string;
  readonly unit: string;
  readonly aim: Figure['aim'];
  readonly target: number;
  readonly real: number | null;
  readonly measured: number;
  readonly reached: boolean;
  readonly rounds: readonly number[];
  readonly cpuMicrosPerOperation: number | null;
  readonly details: Readonly<Record<string, number>>;
  /** The same on the real server beside it, and how many times better ours is; null without one. */
  readonly beside: number | null;
  readonly timesBetter: number | null;
};

export type Report = Surroundings & { readonly figures: readonly ReportRow[] };

/** Joins what was measured with what was promised; `beside` is the real server's run, if there was one. */
export function reportOf(
  surroundings: Surroundings,
  ours: readonly Measurement[],
  beside: readonly Measurement[] | undefined,
): Report {
  const rows = figures.flatMap((figure: Figure & { readonly id: FigureId }) => {
    const measurement = ours.find((each) => each.id === figure.id);
    const other = beside?.find((each) => each.id === figure.id)?.value ?? null;
    return measurement === undefined ? [] : [rowOf(figure, measurement, other)];
  });
  return { ...surroundings, figures: rows };
}

function rowOf(
  figure: Figure & { readonly id: FigureId },
  found: Measurement,
  other: number | null,
): ReportRow {
  const { id, title, unit, aim, target, real } = figure;
  const { value, rounds, cpuMicrosPerOperation, details } = found;
  return {
    id,
    title,
    unit,
    aim,
    target,
    real: real ?? null,
    measured: value,
    reached: isReached(figure, value),
    rounds,
    cpuMicrosPerOperation: cpuMicrosPerOperation ?? null,
    details: details ?? {},
    beside: other,
    timesBetter: other === null ? null : aim === 'below' ? other / value : value / other,
  };
}

/** The report for people. */
export function tableOf(report: Report): string {
  const withBeside = report.figures.some((row) => row.beside !== null);
  const head = ['figure', 'target', 'measured', 'reached', 'real 1.32', 'CPU per op'];
  const lines = report.figures.map((row) => [
    row.title,
    `${row.aim === 'below' ? '<' : '>='} ${shown(row.target)} ${row.unit}`,
    `${shown(row.measured)} ${row.unit}`,
    report.quick ? '-' : row.reached ? 'yes' : 'NO',
    row.real === null ? '-' : `${shown(row.real)} ${row.unit}`,
    row.cpuMicrosPerOperation === null ? '-' : cpuShown(row.cpuMicrosPerOperation),
    ...(withBeside ? besideCells(row) : []),
  ]);
  const rows = [withBeside ? [...head, 'beside', 'times better'] : head, ...lines];
  return [...aligned(rows), '', ...notes(report)].join('\n');
}

const besideCells = ({ beside, timesBetter, unit }: ReportRow): readonly string[] =>
  beside === null || timesBetter === null
    ? ['-', '-']
    : [`${shown(beside)} ${unit}`, `${shown(timesBetter)}x`];

function notes({ quick, figures: rows, ...about }: Report): readonly string[] {
  const reached = rows.filter((row) => row.reached).length;
  const verdict = quick
    ? 'A quick run: these figures mean nothing.'
    : `${reached} of ${rows.length} figures reached.`;
  const disk = `${shown(about.durableWritesPerSecond)} durable 4 KiB writes/s on this disk`;
  return [
    verdict,
    `Node ${about.node}, ${about.cores} cores (load ${shown(about.loadAverage)} before), ${disk}.`,
  ];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
}

const cpuShown = (micros: number): string =>
  micros < 10_000 ? `${shown(micros)} us` : `${shown(micros / 1000)} ms`;

/** Three digits that count. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
