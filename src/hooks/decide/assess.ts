import type { MetricResult, RunPhase } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { effectiveCount, errorLimitOf } from './limits.ts';
import type { FinalPhase } from './reading.ts';
import { isFinal } from './run.ts';

export type Assessment = { readonly phase: RunPhase; readonly why?: string };

/**
 * The phase of a metric, by the first rule that applies.
 * `ending`: the run ends now, and undecided metrics get this phase.
 */
export function assessMetric(
  metric: Metric,
  result: MetricResult,
  ending: FinalPhase | undefined,
): Assessment {
  if (isFinal(result.phase)) return { phase: result.phase };
  const last = result.measurements?.at(-1);
  if (last === undefined)
    return ending === undefined
      ? { phase: 'Pending' }
      : { phase: ending, why: `never called: the run ended before${verdictText(ending)}` };
  if (last.finishedAt === undefined) return { phase: 'Running' };
  for (const rule of rules) {
    const found = rule(metric, result);
    if (found !== undefined) return found;
  }
  return ending === undefined
    ? { phase: 'Running' }
    : { phase: ending, why: `undecided when the run ended${verdictText(ending)}` };
}

const verdictText = (ending: FinalPhase): string =>
  ending === 'Successful' ? '' : ` with the verdict ${ending}`;

type Rule = (metric: Metric, result: MetricResult) => Assessment | undefined;

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** In order: too many failures count more than a success limit that is reached by the same call. */
const rules: readonly Rule[] = [
  ({ failureLimit = 0 }, { failed = 0 }) =>
    failed > failureLimit
      ? { phase: 'Failed', why: `failed ${times(failed)}, tolerated ${failureLimit}` }
      : undefined,
  ({ successfulLimit = 0 }, { successful = 0 }) =>
    successfulLimit > 0 && successful >= successfulLimit ? { phase: 'Successful' } : undefined,
  ({ inconclusiveLimit = 0 }, { inconclusive = 0 }) =>
    inconclusive > inconclusiveLimit
      ? { phase: 'Inconclusive', why: `undecided ${times(inconclusive)}, tolerated ${inconclusiveLimit}` }
      : undefined,
  (metric, { consecutiveError = 0 }) =>
    consecutiveError > errorLimitOf(metric)
      ? {
          phase: 'Error',
          why: `did not work ${times(consecutiveError)} in a row, tolerated ${errorLimitOf(metric)}`,
        }
      : undefined,
  ({ consecutiveSuccessfulLimit: limit }, { consecutiveSuccessful = 0 }) =>
    limit !== undefined && consecutiveSuccessful >= limit ? { phase: 'Successful' } : undefined,
  (metric, { count = 0 }) => {
    const wanted = effectiveCount(metric);
    return wanted !== undefined && count >= wanted ? { phase: 'Successful' } : undefined;
  },
];

/** From the best to the worst. */
const severity: readonly RunPhase[] = ['Successful', 'Running', 'Pending', 'Inconclusive', 'Error', 'Failed'];

/** The worst of some phases; Successful if there are none. */
export function worstOf(phases: readonly RunPhase[]): RunPhase {
  return phases.reduce<RunPhase>(
    (worst, phase) => (severity.indexOf(phase) > severity.indexOf(worst) ? phase : worst),
    'Successful',
  );
}
