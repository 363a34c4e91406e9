import { linesOnce } from '#rehearse/lines-once.ts';
import { clockText, spanText } from '#rehearse/span-text.ts';
import { spreadOf } from '#rehearse/spread.ts';
import type { ControlPlaneDowntime, OperationReport } from './operation-report.ts';

export const downtimeText = ({ node, from, to }: ControlPlaneDowntime): string =>
  `${node} is the only control plane: its API server does not answer for up to ${spanText(to - from)}, from ${clockText(from)} to ${clockText(to)}`;

/** The warnings of many rehearsals, each once; those about the downtime of the control plane are one line. */
export function seedsWarnings(reports: readonly OperationReport[]): readonly string[] {
  const down = reports.flatMap(({ downtime }) => downtime ?? []);
  const texts = new Set(down.map(downtimeText));
  const others = linesOnce(reports.map(({ warnings }) => warnings.filter((line) => !texts.has(line))));
  const [first] = down;
  if (first === undefined) return others;
  const { median, most } = spreadOf(down.map(({ from, to }) => to - from));
  const where = down.length === reports.length ? '' : ` in ${down.length} of ${reports.length} rehearsals`;
  return [
    ...others,
    `${first.node} is the only control plane: its API server does not answer for up to ${spanText(most)}${where}, median ${spanText(median)}`,
  ];
}
