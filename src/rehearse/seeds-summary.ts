import type { RehearsalOutcome, RehearsalReport } from './rehearsal-report.ts';
import { spanText } from './span-text.ts';
import { spreadOf, type Spread } from './spread.ts';

/** The same release with many seeds. */
export type SeedsSummary = {
  readonly runs: number;
  readonly outcomes: readonly OutcomeShare[];
  readonly seconds: Spread;
  readonly lowestAvailability: Spread;
  /** Number of runs below what maxUnavailable promises. */
  readonly belowPromise: number;
};

type OutcomeShare = {
  readonly type: RehearsalOutcome['type'];
  readonly runs: number;
  /** A seed that leads to it. */
  readonly seed: number;
  readonly message: string;
};

export function summaryOfSeeds(reports: readonly RehearsalReport[]): SeedsSummary {
  const shares = new Map<string, OutcomeShare>();
  for (const { outcome, seed } of reports) {
    const message = 'message' in outcome ? outcome.message : '';
    const key = `${outcome.type} ${'step' in outcome ? outcome.step : ''} ${'reason' in outcome ? outcome.reason : ''}`;
    const known = shares.get(key);
    shares.set(
      key,
      known === undefined
        ? { type: outcome.type, runs: 1, seed, message }
        : { ...known, runs: known.runs + 1 },
    );
  }
  return {
    runs: reports.length,
    outcomes: [...shares.values()].toSorted((left, right) => right.runs - left.runs),
    seconds: spreadOf(reports.map((each) => each.seconds)),
    lowestAvailability: spreadOf(reports.map((each) => each.availability.lowest)),
    belowPromise: reports.filter(({ availability }) => availability.lowest < availability.promised).length,
  };
}

const outcomeTexts: Readonly<Record<RehearsalOutcome['type'], string>> = {
  Completes: 'complete',
  Stops: 'stop',
  WaitsForApproval: 'wait for approval',
  WaitsForUser: 'wait for a user',
  ReachesHorizon: 'do not end within --horizon',
};

export function seedsLines(first: RehearsalReport, summary: SeedsSummary): readonly string[] {
  const { runs, outcomes, seconds, lowestAvailability, belowPromise } = summary;
  const { workload, namespace, change, replicas, availability } = first;
  return [
    `${runs} rehearsals of ${workload} in namespace ${namespace}: ${change}`,
    ...outcomes.map(
      ({ type, runs: some, seed, message }) =>
        `  ${String(some).padStart(6)} ${outcomeTexts[type]}${message === '' ? '' : `: ${message}`} (for instance --seed ${seed})`,
    ),
    `Duration: median ${spanText(seconds.median)}, 90 % within ${spanText(seconds.p90)}, longest ${spanText(seconds.most)}`,
    `Lowest availability: median ${lowestAvailability.median}, lowest ${lowestAvailability.least} of ${replicas} pods in service; ${belowPromise} rehearsals below the ${availability.promised} that maxUnavailable promises`,
  ];
}
