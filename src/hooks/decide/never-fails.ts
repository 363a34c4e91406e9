import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { readProvider } from '#hooks/read.ts';
import { conditionOf, type ConditionName } from './conditions.ts';
import { alwaysTrue, neverTrue } from './expression/constancy.ts';
import { effectiveCount } from './limits.ts';

/**
 * Why no value can make the verdict of a hook bad, metric by metric; undefined if one can. Errors of calls can still do
 * so: they are not values.
 */
export function neverFails({ spec }: Pick<HookTemplate, 'spec'>): string | undefined {
  const reasons = spec.metrics.map((metric) => ({ name: metric.name, why: whyMetricPasses(metric) }));
  if (reasons.length === 0 || reasons.some(({ why }) => why === undefined)) return undefined;
  return reasons.map(({ name, why }) => `metric ${name} ${why ?? ''}`).join(', ');
}

function whyMetricPasses(metric: Metric): string | undefined {
  if (judgesItself(metric)) return undefined;
  const { failureLimit = 0, inconclusiveLimit = 0 } = metric;
  const calls = effectiveCount(metric) ?? Infinity;
  if (canBeUndecided(metric) && inconclusiveLimit < calls) return undefined;
  if (!canBeFailed(metric))
    return hasNoCondition(metric) ? 'has no condition' : 'has a condition that never fails';
  return failureLimit < calls ? undefined : `tolerates ${failureLimit} failures in ${calls} calls`;
}

/** Some providers decide without conditions, such as a Job that ends. */
function judgesItself(metric: Metric): boolean {
  const read = readProvider(metric);
  return read.type === 'refused' || read.wire.ignoresConditions !== undefined;
}

const hasNoCondition = (metric: Metric): boolean =>
  conditionOf(metric, 'successCondition') === undefined &&
  conditionOf(metric, 'failureCondition') === undefined;

/** A true failureCondition fails; without one, a false successCondition. */
function canBeFailed(metric: Metric): boolean {
  if (metric.noData === 'Fail') return true;
  return conditionOf(metric, 'failureCondition') === undefined
    ? canBe(metric, 'successCondition', false)
    : canBe(metric, 'failureCondition', true);
}

const canBeUndecided = (metric: Metric): boolean =>
  metric.noData === 'Inconclusive' ||
  (canBe(metric, 'successCondition', false) && canBe(metric, 'failureCondition', false));

function canBe(metric: Metric, name: ConditionName, value: boolean): boolean {
  const compiled = conditionOf(metric, name);
  if (compiled === undefined) return false;
  // Another finding reports it.
  if (!compiled.ok) return true;
  return value ? !neverTrue(compiled.condition) : !alwaysTrue(compiled.condition);
}
