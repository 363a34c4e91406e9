import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { millis, type Millis } from '#base/time.ts';
import { effectiveCount, initialDelayOf, intervalOf } from './limits.ts';

/** The least time in which a hook can pass, without the time of its calls; undefined if it never does. */
export function leastDuration({ spec }: Pick<HookTemplate, 'spec'>): Millis | undefined {
  const each = spec.metrics.map(leastOfMetric);
  if (each.some((span) => span === undefined)) return undefined;
  const spans = each.flatMap((span) => (span === undefined ? [] : [span]));
  const whole = spec.policy === 'Ordered' ? spans.reduce((a, b) => a + b, 0) : Math.max(0, ...spans);
  return millis(whole);
}

function leastOfMetric(metric: Metric): number | undefined {
  const { successfulLimit = 0, consecutiveSuccessfulLimit = 0 } = metric;
  const limits = [effectiveCount(metric) ?? 0, successfulLimit, consecutiveSuccessfulLimit];
  const given = limits.filter((limit) => limit > 0);
  if (given.length === 0) return undefined;
  return initialDelayOf(metric) + (Math.min(...given) - 1) * (intervalOf(metric) ?? 0);
}
