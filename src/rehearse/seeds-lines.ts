import { harmlessText } from '#base/harmless-text.ts';
import { countText } from '#base/text.ts';
import { inServiceText } from './availability.ts';
import { durationLines } from './durations.ts';
import { shareLine } from './outcome-share.ts';
import type { RehearsalOutcome } from './rehearsal-report.ts';
import { seedsNotes } from './seeds-notes.ts';
import { summaryOfSeeds, type SeededReports, type SeedsSummary } from './seeds-summary.ts';

/** Many rehearsals of a workload as text. */
export function seedsLines(reports: SeededReports): readonly string[] {
  const [{ availability }] = reports;
  const summary = summaryOfSeeds(reports);
  const { outcomes, durations, lowestAvailability: lowest, belowPromise } = summary;
  return [
    seedsTitle(summary),
    ...outcomes.map((share) => shareLine(share, outcomeTexts)),
    ...durationLines(durations, outcomeTexts),
    `Lowest availability: median ${lowest.median}, lowest ${inServiceText(lowest.least, reports[0])}; ${promiseText(belowPromise, availability.promised)}`,
    ...seedsNotes(reports).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  - ${line}`),
    ]),
  ].map(harmlessText);
}

export const seedsTitle = ({ runs, workload, namespace, change }: SeedsSummary): string =>
  `${runs} rehearsals of ${workload} in namespace ${namespace}: ${change}`;

/** What some of the rehearsals do, in the order of the parts of a bar from below. */
export const outcomeTexts: Readonly<Record<RehearsalOutcome['type'], string>> = {
  Completes: 'complete',
  WaitsForApproval: 'wait for approval',
  WaitsForUser: 'wait for a user',
  Stops: 'stop',
  ReachesHorizon: 'do not end within --horizon',
};

export const promiseText = (below: number, promised: number): string =>
  `${countText(below, 'rehearsal')} below the ${promised} that maxUnavailable promises`;
