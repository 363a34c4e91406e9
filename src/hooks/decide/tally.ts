import type { MetricResult } from '#hooks/kinds/hook-run.ts';
import type { FinalPhase } from './reading.ts';

type Counter = 'successful' | 'failed' | 'inconclusive' | 'error';

const counters: Readonly<Record<FinalPhase, Counter>> = {
  Successful: 'successful',
  Failed: 'failed',
  Inconclusive: 'inconclusive',
  Error: 'error',
};

/** The counters after one more finished call. An error does not increase `count`; zeros are left out. */
export function tally(result: MetricResult, phase: FinalPhase): MetricResult {
  const { consecutiveError = 0, consecutiveSuccessful = 0, ...rest } = result;
  const counter = counters[phase];
  const isError = phase === 'Error';
  return {
    ...rest,
    ...(isError ? {} : { count: (result.count ?? 0) + 1 }),
    [counter]: (result[counter] ?? 0) + 1,
    ...(isError ? { consecutiveError: consecutiveError + 1 } : {}),
    ...(phase === 'Successful' ? { consecutiveSuccessful: consecutiveSuccessful + 1 } : {}),
  };
}
