import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { parseDuration } from '#base/duration.ts';
import { millis, minutes, seconds, type Millis } from '#base/time.ts';

/** How long after an error the call is made again when the metric has no interval (§1.3). */
export const errorPause: Millis = seconds(10);
const usualErrorLimit = 4;
const usualRetention = 10;
const usualNoDataWait: Millis = minutes(5);
/** No clock of ours is finer. */
const shortestInterval = 1;

/** The interval; none when it is not given, is zero or cannot be read. */
export function intervalOf(metric: Metric): Millis | undefined {
  const span = spanOf(metric.interval);
  return span === undefined || span === 0 ? undefined : millis(Math.max(span, shortestInterval));
}

export const initialDelayOf = (metric: Metric): Millis => spanOf(metric.initialDelay) ?? millis(0);
export const noDataWaitOf = (metric: Metric): Millis => spanOf(metric.noDataWait) ?? usualNoDataWait;

/** Whether a span is given that cannot be read: such a metric is not asked, and no count of it is enough. */
export function hasBadSpan({ interval, initialDelay }: Metric): boolean {
  return [interval, initialDelay].some(
    (text) => text !== undefined && text !== '' && spanOf(text) === undefined,
  );
}

/** How many calls count before the metric is done; undefined: there is no such number (§1.1). */
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
