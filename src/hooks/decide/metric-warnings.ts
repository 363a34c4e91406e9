import type { Metric } from '#hooks/kinds/metric.ts';
import { formatDuration } from '#base/duration.ts';
import { readProvider } from '#hooks/read.ts';
import { alwaysTrue, deadBranches, neverTrue } from './expression/constancy.ts';
import { conditionOf, resultTypeOf, type ConditionName } from './conditions.ts';
import { isBelow, usualLeastInterval } from './least-interval.ts';
import { effectiveCount } from './limits.ts';
import { providerFindings } from './provider-findings.ts';

/** Something that works but is probably not intended. */
export type MetricWarning = { readonly path: string; readonly message: string; readonly hint?: string };

type Check = (metric: Metric) => readonly MetricWarning[];

export function metricWarnings(metric: Metric): readonly MetricWarning[] {
  return checks.flatMap((check) => check(metric));
}

const nothing: readonly MetricWarning[] = [];

const constancy: Readonly<
  Record<ConditionName, { readonly never: string; readonly always: string; readonly hint: string }>
> = {
  successCondition: {
    never: 'can never be true: no call succeeds',
    always: 'is always true: it tests nothing',
    hint: 'compare result with something that it can be',
  },
  failureCondition: {
    never: 'can never be true: it tests nothing',
    always: 'is always true: every call fails',
    hint: 'compare result with something that it can be',
  },
};

const constantConditions: Check = (metric) =>
  (['successCondition', 'failureCondition'] as const).flatMap((path) => {
    const compiled = conditionOf(metric, path);
    if (compiled === undefined || !compiled.ok) return nothing;
    const { never, always, hint } = constancy[path];
    const known = { isNeverEmpty: isNeverEmpty(metric) };
    if (neverTrue(compiled.condition, known)) return [{ path, message: never, hint }];
    if (alwaysTrue(compiled.condition, known)) return [{ path, message: always, hint }];
    return deadBranches(compiled.condition, known).map((branch) => ({
      path,
      message: `the part ${branch.slice(0, longestShown)} can never be true: it tests nothing`,
      hint: known.isNeverEmpty
        ? 'noData decides about answers without data: leave it out to test them'
        : hint,
    }));
  });

const longestShown = 120;

/** With noData, conditions are not evaluated on empty results. */
const isNeverEmpty = (metric: Metric): boolean =>
  metric.noData !== undefined && resultTypeOf(metric).startsWith('float');

/** Limits that the number of calls cannot reach or exceed. */
const unreachableLimits: Check = (metric) => {
  const calls = effectiveCount(metric);
  if (calls === undefined || calls < 1) return nothing;
  const made = calls === 1 ? 'one call is made' : `${calls} calls are made`;
  const passed = (['failureLimit', 'inconclusiveLimit'] as const).flatMap((path) => {
    const limit = metric[path] ?? 0;
    if (limit < calls) return nothing;
    return [{ path, message: `can never be exceeded: ${made}, and ${limit} are tolerated` }];
  });
  const reached = (['successfulLimit', 'consecutiveSuccessfulLimit'] as const).flatMap((path) => {
    const limit = metric[path] ?? 0;
    return limit <= calls ? nothing : [{ path, message: `can never be reached: ${made}` }];
  });
  return [...passed, ...reached];
};

const endless: Check = (metric) => {
  const { successfulLimit = 0, consecutiveSuccessfulLimit = 0 } = metric;
  if (effectiveCount(metric) !== undefined || successfulLimit + consecutiveSuccessfulLimit > 0)
    return nothing;
  const hint = 'give a count, successfulLimit or consecutiveSuccessfulLimit';
  return [{ path: 'interval', message: 'without a count the metric never becomes Successful', hint }];
};

const shortInterval: Check = (metric) =>
  isBelow(metric, usualLeastInterval)
    ? [
        {
          path: 'interval',
          message: `is below ${formatDuration(usualLeastInterval)}, so it is raised to that`,
          hint: 'the controller allows shorter ones with --min-hook-interval',
        },
      ]
    : nothing;

const idleFields: Check = (metric) => {
  const read = readProvider(metric);
  const why = read.type === 'provider' ? read.wire.ignoresConditions : undefined;
  const conditions = (['successCondition', 'failureCondition'] as const).filter((name) => metric[name]);
  return [
    ...(metric.noDataWait !== undefined && metric.noData !== 'Wait'
      ? [{ path: 'noDataWait', message: 'has no effect unless noData is Wait' }]
      : nothing),
    ...(why === undefined ? nothing : conditions.map((path) => ({ path, message: `has no effect: ${why}` }))),
  ];
};

const ofProvider: Check = (metric) =>
  providerFindings(metric)
    .filter(({ severity }) => severity === 'warning')
    .map(({ severity: _warning, ...warning }) => warning);

const checks: readonly Check[] = [
  constantConditions,
  unreachableLimits,
  endless,
  shortInterval,
  idleFields,
  ofProvider,
];
