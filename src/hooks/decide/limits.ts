import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { parseDuration } from '#base/duration.ts';
import { millis, minutes, seconds, type Millis } from '#base/time.ts';

/** The delay before a call is repeated after an error, for metrics without an interval. */
export const errorPause: Millis = seconds(10);
const usualErrorLimit = 4;
const usualRetention = 10;
const usualNoDataWait: Millis = minutes(5);
/** The resolution of the clock. */
const shortestInterval = 1;

/** The interval; none when it is not given, is zero or cannot be read. */
export function intervalOf(metric: Metric): Millis | undefined {
  const span = spanOf(metric.interval);
  return span === undefined || span === 0 ? undefined : millis(Math.max(span, shortestInterval));
}

export const initialDelayOf = (metric: Metric): Millis => spanOf(metric.initialDelay) ?? millis(0);
export const noDataWaitOf = (metric: Metric): Millis => spanOf(metric.noDataWait) ?? usualNoDataWait;

/** Whether interval or initialDelay cannot be parsed. Such a metric is not called and never completes. */
export function hasBadSpan({ interval, initialDelay }: Metric): boolean {
  return [interval, initialDelay].some(
    (text) => text !== undefined && text !== '' && spanOf(text) === undefined,
  );
}

/** The number of counted calls that completes the metric; undefined if it has no such limit. */
export function effectiveCount(metric: Metric): number | undefined {
  const { count = 0 } = metric;
  if (count !== 0) return count;
  return intervalOf(metric) === undefined && !hasBadSpan(metric) ? 1 : undefined;
}

export const errorLimitOf = (metric: Metric): number => metric.consecutiveErrorLimit ?? usualErrorLimit;

export function retentionOf({ measurementRetention }: HookRunSpec): number {
  return Math.max(1, measurementRetention ?? usualRetention);
}

function spanOf(text: string | undefined): Millis | undefined {
  return text === undefined || text === '' ? undefined : parseDuration(text);
}
