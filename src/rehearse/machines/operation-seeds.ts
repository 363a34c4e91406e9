import { harmlessText } from '#base/harmless-text.ts';
import { durationLine, spreadOf, type Spread } from '#rehearse/spread.ts';
import type { OperationOutcome, OperationReport } from './operation-report.ts';

/** The same operation with many seeds. */
export type OperationSeeds = {
  readonly runs: number;
  readonly outcomes: readonly {
    readonly type: OperationOutcome['type'];
    readonly runs: number;
    /** A seed that leads to it. */
    readonly seed: number;
    readonly message: string;
  }[];
  readonly seconds: Spread;
};

export function operationSeeds(reports: readonly OperationReport[]): OperationSeeds {
  const shares = new Map<string, OperationSeeds['outcomes'][number]>();
  for (const { outcome, seed } of reports) {
    const message = 'message' in outcome ? outcome.message : '';
    const where = 'failures' in outcome ? outcome.failures.map(({ node, step }) => `${node} ${step}`) : [];
    const key = [outcome.type, ...where].join(' ');
    const known = shares.get(key) ?? { type: outcome.type, runs: 0, seed, message };
    shares.set(key, { ...known, runs: known.runs + 1 });
  }
  return {
    runs: reports.length,
    outcomes: [...shares.values()].toSorted((left, right) => right.runs - left.runs),
    seconds: spreadOf(reports.map((each) => each.seconds)),
  };
}

const outcomeTexts: Readonly<Record<OperationOutcome['type'], string>> = {
  Completes: 'complete',
  CompletesPartly: 'end without some machines',
  Fails: 'fail',
  WaitsForApproval: 'wait for an answer',
  ReachesHorizon: 'do not end within --horizon',
};

export const operationSeedsLines = (
  { verb, cluster }: OperationReport,
  { runs, outcomes, seconds }: OperationSeeds,
): readonly string[] =>
  [
    `${runs} rehearsals of ${verb} of cluster ${cluster}`,
    ...outcomes.map(
      ({ type, runs: some, seed, message }) =>
        `  ${String(some).padStart(6)} ${outcomeTexts[type]}${message === '' ? '' : `: ${message}`} (for instance --seed ${seed})`,
    ),
    durationLine(seconds),
  ].map(harmlessText);
