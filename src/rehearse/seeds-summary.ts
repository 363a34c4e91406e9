import { durationsOf, type OutcomeDuration } from './durations.ts';
import type { OutcomeShare } from './outcome-share.ts';
import type { RehearsalOutcome, RehearsalReport } from './rehearsal-report.ts';
import { spreadOf, type Spread } from './spread.ts';

/** Rehearsals of one workload, each with another seed. */
export type SeededReports = readonly [RehearsalReport, ...RehearsalReport[]];

type ReleaseShare = OutcomeShare<RehearsalOutcome['type']>;

/** The same release with many seeds. */
export type SeedsSummary = Pick<RehearsalReport, 'workload' | 'namespace' | 'change'> & {
  readonly runs: number;
  readonly outcomes: readonly ReleaseShare[];
  readonly durations: readonly OutcomeDuration<RehearsalOutcome['type']>[];
  readonly lowestAvailability: Spread;
  /** Number of runs below what maxUnavailable promises. */
  readonly belowPromise: number;
};

export function summaryOfSeeds(reports: SeededReports): SeedsSummary {
  const [{ workload, namespace, change }] = reports;
  const shares = new Map<string, ReleaseShare>();
  for (const { outcome, seed } of reports) {
    const message = 'message' in outcome ? outcome.message : '';
    const key = `${outcome.type} ${'step' in outcome ? outcome.step : ''} ${'reason' in outcome ? outcome.reason : ''}`;
    const known = shares.get(key) ?? { type: outcome.type, runs: 0, seed, message };
    shares.set(key, { ...known, runs: known.runs + 1 });
  }
  return {
    workload,
    namespace,
    change,
    runs: reports.length,
    outcomes: [...shares.values()].toSorted((left, right) => right.runs - left.runs),
    durations: durationsOf(reports),
    lowestAvailability: spreadOf(reports.map((each) => each.availability.lowest)),
    belowPromise: reports.filter(({ availability }) => availability.lowest < availability.promised).length,
  };
}
