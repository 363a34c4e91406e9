import type { Evidence, Measurement, MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { formatMicroTime, formatTime } from '#base/time.ts';
import { judge, type JudgedCall } from './judge.ts';
import { intervalOf } from './limits.ts';
import type { FinishedCall } from './run.ts';
import { resumeAfter, timeOf, toMicro } from './schedule.ts';
import { shortened } from './shortened.ts';
import { tally } from './tally.ts';

/** The result with one more call. */
export function recordCall(metric: Metric, result: MetricResult, call: FinishedCall): MetricResult {
  const judged = judge(metric, call.reading, call.finishedAt, timeOf(result.noDataSince));
  const { noDataSince: _since, ...rest } = result;
  const kept = {
    ...rest,
    ...waiting(metric, result, call),
    plannedFrom: result.plannedFrom ?? formatMicroTime(toMicro(call.plannedFrom)),
    measurements: [...earlier(result, judged), measurementOf(metric, call, judged)],
  };
  return judged.phase === 'Pending' ? kept : tally(kept, judged.phase);
}

/** Since when there has been no data. An error in between does not reset it. */
function waiting(
  { noData }: Metric,
  { noDataSince }: MetricResult,
  { reading, finishedAt }: FinishedCall,
): Pick<MetricResult, 'noDataSince'> {
  if (noData !== 'Wait' || reading.type === 'value' || reading.type === 'verdict') return {};
  if (noDataSince !== undefined) return { noDataSince };
  return reading.type === 'no-data' ? { noDataSince: formatMicroTime(toMicro(finishedAt)) } : {};
}

/** The earlier measurements. All calls that wait for data share one measurement. */
function earlier({ measurements = [] }: MetricResult, judged: JudgedCall): readonly Measurement[] {
  const last = measurements.at(-1);
  const isReplaced =
    last !== undefined &&
    (last.finishedAt === undefined || (last.phase === 'Pending' && judged.phase === 'Pending'));
  return (isReplaced ? measurements.slice(0, -1) : measurements).map(withoutResume);
}

function withoutResume(measurement: Measurement): Measurement {
  if (measurement.resumeAt === undefined) return measurement;
  const { resumeAt: _past, ...rest } = measurement;
  return rest;
}

function measurementOf(metric: Metric, call: FinishedCall, judged: JudgedCall): Measurement {
  const { phase, message, value, evidence } = judged;
  const goesOn = intervalOf(metric) !== undefined || phase === 'Error' || phase === 'Pending';
  const resumeAt = goesOn ? resumeAfter(metric, call) : undefined;
  return {
    phase,
    ...(message === undefined || message === '' ? {} : { message: shortened(message) }),
    startedAt: formatTime(call.startedAt),
    finishedAt: formatTime(call.finishedAt),
    plannedAt: formatMicroTime(toMicro(call.plannedAt)),
    ...(resumeAt === undefined ? {} : { resumeAt: formatMicroTime(resumeAt) }),
    ...(value === undefined ? {} : { value: shortened(value) }),
    ...(isEmpty(evidence) ? {} : { evidence }),
  };
}

const isEmpty = (evidence: Evidence): boolean => Object.keys(evidence).length === 0;
