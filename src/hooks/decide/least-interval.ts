import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { formatDuration, parseDuration } from '#base/duration.ts';
import { millis, type Millis } from '#base/time.ts';

/** Limits the calls that one object can cause. */
export const usualLeastInterval: Millis = millis(100);

/** The spec with shorter intervals raised to the least one. */
export function withLeastInterval(spec: HookRunSpec, least: Millis): HookRunSpec {
  const { metrics } = spec;
  if (metrics === undefined || !metrics.some((metric) => isBelow(metric, least))) return spec;
  const interval = formatDuration(least);
  return {
    ...spec,
    metrics: metrics.map((metric) => (isBelow(metric, least) ? { ...metric, interval } : metric)),
  };
}

/** Whether a metric has an interval shorter than this. Zero means no interval. */
export function isBelow({ interval }: Metric, least: Millis): boolean {
  const span = interval === undefined ? undefined : parseDuration(interval);
  return span !== undefined && span > 0 && span < least;
}
