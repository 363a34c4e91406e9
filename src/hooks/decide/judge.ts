import type { Evidence } from '#hooks/kinds/hook-run.ts';
import type { Metric, NoData } from '#hooks/kinds/metric.ts';
import { formatDuration } from '#base/duration.ts';
import { printJson } from '#base/json-text.ts';
import { millis, type Instant } from '#base/time.ts';
import { askConditions } from './conditions.ts';
import { noDataWaitOf } from './limits.ts';
import type { FinalPhase, ProviderReading } from './reading.ts';

/** The result of one call. Pending: there was no data, the metric waits for some, and nothing is counted. */
export type JudgedCall = {
  readonly phase: FinalPhase | 'Pending';
  readonly value?: string;
  readonly message?: string;
  readonly evidence: Evidence;
};

/** Judges the reading of a provider. `noDataSince`: since when earlier readings have had no data. */
export function judge(
  metric: Metric,
  reading: ProviderReading,
  finishedAt: Instant,
  noDataSince: Instant | undefined,
): JudgedCall {
  switch (reading.type) {
    case 'value':
      return judgeValue(metric, reading);
    case 'no-data':
      if (isLeftToConditions(metric, reading)) return judgeEmpty(metric, reading);
      return judgeNoData(metric, reading, millis(finishedAt - (noDataSince ?? finishedAt)));
    case 'verdict': {
      const { type: _type, ...judged } = reading;
      return judged;
    }
    case 'error':
      return { phase: 'Error', message: reading.message, evidence: reading.evidence };
  }
}

function judgeValue(metric: Metric, reading: ProviderReading & { readonly type: 'value' }): JudgedCall {
  const { value } = reading;
  const { phase, message, expression, because } = askConditions(metric, reading.result);
  const evidence = {
    ...reading.evidence,
    ...(expression === undefined ? {} : { expression }),
    ...(because === undefined || because.length === 0 ? {} : { because: [...because] }),
  };
  return { phase, value, evidence, ...(message === undefined ? {} : { message }) };
}

type NoDataReading = ProviderReading & { readonly type: 'no-data' };

const isLeftToConditions = (metric: Metric, { result }: NoDataReading): boolean =>
  result !== undefined && metric.noData === undefined && hasConditions(metric);

const hasConditions = ({ successCondition = '', failureCondition = '' }: Metric): boolean =>
  successCondition !== '' || failureCondition !== '';

/** Conditions can test an empty list: `len(result) == 0`. A condition that fails on it is an Error. */
function judgeEmpty(metric: Metric, { result = null, why, evidence }: NoDataReading): JudgedCall {
  const value = printJson(result);
  const judged = judgeValue(metric, { type: 'value', result, value, evidence });
  if (judged.phase !== 'Error') return judged;
  return { ...judged, message: `no data: ${why}; ${judged.message ?? ''}` };
}

const meanings: Readonly<Record<Exclude<NoData, 'Wait'>, FinalPhase>> = {
  Error: 'Error',
  Inconclusive: 'Inconclusive',
  Fail: 'Failed',
  Pass: 'Successful',
};

function judgeNoData(metric: Metric, reading: NoDataReading, waited: ReturnType<typeof millis>): JudgedCall {
  const { why, evidence } = reading;
  const { noData = 'Error' } = metric;
  if (noData !== 'Wait') return { phase: meanings[noData], message: `no data: ${why}`, evidence };
  const budget = noDataWaitOf(metric);
  if (waited < budget)
    return { phase: 'Pending', message: `no data so far, waiting for some: ${why}`, evidence };
  return {
    phase: 'Error',
    message: `still no data after waiting for ${formatDuration(budget)}: ${why}`,
    evidence,
  };
}
