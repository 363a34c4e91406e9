import { harmlessText } from '#base/harmless-text.ts';
import { linesOnce } from '#rehearse/lines-once.ts';
import { shareLine, type OutcomeShare } from '#rehearse/outcome-share.ts';
import type { NoteSection } from '#rehearse/report-lines.ts';
import { durationLine, spreadOf, type Spread } from '#rehearse/spread.ts';
import { seedsWarnings } from './downtime-text.ts';
import type { OperationOutcome, OperationReport } from './operation-report.ts';
import { operationShares } from './operation-shares.ts';

/** Rehearsals of one operation, each with another seed. */
export type SeededOperations = readonly [OperationReport, ...OperationReport[]];

/** The same operation with many seeds. */
export type OperationSeeds = {
  readonly runs: number;
  readonly outcomes: readonly OutcomeShare<OperationOutcome['type']>[];
  readonly seconds: Spread;
};

export const operationSeeds = (reports: readonly OperationReport[]): OperationSeeds => ({
  runs: reports.length,
  outcomes: operationShares(reports),
  seconds: spreadOf(reports.map((each) => each.seconds)),
});

/** What some of the rehearsals do, in the order of the parts of a bar from below. */
export const operationOutcomeTexts: Readonly<Record<OperationOutcome['type'], string>> = {
  Completes: 'complete',
  WaitsForApproval: 'wait for an answer',
  CompletesPartly: 'end without some machines',
  Fails: 'fail',
  ReachesHorizon: 'do not end within --horizon',
};

export const operationSeedsTitle = ({ verb, cluster }: OperationReport, runs: number): string =>
  `${runs} rehearsals of ${verb} of cluster ${cluster}`;

export const operationSeedsNotes = (reports: readonly OperationReport[]): readonly NoteSection[] =>
  [
    { title: 'Assumed', lines: linesOnce(reports.map(({ assumptions }) => assumptions)) },
    { title: 'Warnings', lines: seedsWarnings(reports) },
  ].filter(({ lines }) => lines.length > 0);

export function operationSeedsLines(reports: SeededOperations): readonly string[] {
  const { runs, outcomes, seconds } = operationSeeds(reports);
  return [
    operationSeedsTitle(reports[0], runs),
    ...outcomes.map((share) => shareLine(share, operationOutcomeTexts)),
    durationLine(seconds),
    ...operationSeedsNotes(reports).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  - ${line}`),
    ]),
  ].map(harmlessText);
}
