import { harmlessText } from '#base/harmless-text.ts';
import { durationLines, durationsOf, type OutcomeDuration } from '#rehearse/durations.ts';
import { linesOnce } from '#rehearse/lines-once.ts';
import { shareLine, type OutcomeShare } from '#rehearse/outcome-share.ts';
import type { NoteSection } from '#rehearse/report-lines.ts';
import { seedsWarnings } from './downtime-text.ts';
import type { OperationOutcome, OperationReport } from './operation-report.ts';
import { operationSize, operationText } from './operation-lines.ts';
import { operationShares } from './operation-shares.ts';

/** Rehearsals of one operation, each with another seed. */
export type SeededOperations = readonly [OperationReport, ...OperationReport[]];

/** The same operation with many seeds. */
export type OperationSeeds = {
  readonly runs: number;
  readonly outcomes: readonly OutcomeShare<OperationOutcome['type']>[];
  readonly durations: readonly OutcomeDuration<OperationOutcome['type']>[];
  /** How many are rolled back, and how many of these completely. */
  readonly rollbacks: { readonly runs: number; readonly complete: number };
};

export const operationSeeds = (reports: readonly OperationReport[]): OperationSeeds => ({
  runs: reports.length,
  outcomes: operationShares(reports),
  durations: durationsOf(reports),
  rollbacks: rollbacksOf(reports),
});

function rollbacksOf(reports: readonly OperationReport[]): OperationSeeds['rollbacks'] {
  const made = reports.flatMap(({ rollback }) => (rollback.type === 'Runs' ? [rollback] : []));
  return { runs: made.length, complete: made.filter(({ isComplete }) => isComplete).length };
}

/** What some of the rehearsals do, in the order of the parts of a bar from below. */
export const operationOutcomeTexts: Readonly<Record<OperationOutcome['type'], string>> = {
  Completes: 'complete',
  WaitsForApproval: 'wait for an answer',
  CompletesPartly: 'end without some machines',
  Fails: 'fail',
  ReachesHorizon: 'do not end within --horizon',
};

export const operationSeedsTitle = (reports: SeededOperations): string =>
  `${reports.length} rehearsals of ${operationText(reports[0])}`;

export const operationSeedsSubtitle = (reports: SeededOperations): string =>
  `${operationSize(reports[0])}, seeds ${reports[0].seed} to ${(reports.at(-1) ?? reports[0]).seed}`;

/** Nothing when none of them is rolled back. */
export const rollbackLines = ({ runs, rollbacks }: OperationSeeds): readonly string[] =>
  rollbacks.runs === 0
    ? []
    : [`Rollback: in ${rollbacks.runs} of ${runs} rehearsals, complete in ${rollbacks.complete}`];

export const operationSeedsNotes = (reports: readonly OperationReport[]): readonly NoteSection[] =>
  [
    { title: 'Assumed', lines: linesOnce(reports.map(({ assumptions }) => assumptions)) },
    { title: 'Warnings', lines: seedsWarnings(reports) },
  ].filter(({ lines }) => lines.length > 0);

export function operationSeedsLines(reports: SeededOperations): readonly string[] {
  const summary = operationSeeds(reports);
  const { outcomes, durations } = summary;
  return [
    operationSeedsTitle(reports),
    operationSeedsSubtitle(reports),
    ...outcomes.map((share) => shareLine(share, operationOutcomeTexts)),
    ...durationLines(durations, operationOutcomeTexts),
    ...rollbackLines(summary),
    ...operationSeedsNotes(reports).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  - ${line}`),
    ]),
  ].map(harmlessText);
}
