import type { HookArg, Metric } from '#hooks/kinds/metric.ts';
import { parseDuration } from '#base/duration.ts';
import { readProvider } from '#hooks/read.ts';
import { problemOfCondition } from './conditions.ts';
import { intervalOf } from './limits.ts';
import { filledFields } from './placeholder-fields.ts';
import { takeApart } from './placeholders.ts';
import { providerFindings } from './provider-findings.ts';

/** An error, with its path inside the metric. */
export type MetricProblem = { readonly path: string; readonly message: string };

type Check = (metric: Metric) => readonly MetricProblem[];

/** What makes a metric impossible to execute, in a fixed order. */
export function metricProblems(metric: Metric): readonly MetricProblem[] {
  return checks.flatMap((check) => check(metric));
}

/** `name`: the argument that does not exist. */
export type PlaceholderProblem = MetricProblem & { readonly name?: string };

/** Placeholders that cannot be filled from these arguments. */
export function placeholderProblems(metric: Metric, args: readonly HookArg[]): readonly PlaceholderProblem[] {
  const known = new Set(args.map(({ name }) => name));
  return filledFields(metric).flatMap(({ path, text }) => {
    const taken = takeApart(text);
    if (taken.type === 'problem') return [{ path, message: taken.message }];
    const unknown = taken.pieces.flatMap((piece) =>
      piece.type === 'argument' && !known.has(piece.name) ? [piece.name] : [],
    );
    return [...new Set(unknown)].map((name) => ({
      path,
      name,
      message: `{{ args.${name} }} names no argument${known.size === 0 ? '' : `: there are ${[...known].join(', ')}`}`,
    }));
  });
}

const problem = (path: string, message: string): readonly MetricProblem[] => [{ path, message }];
const nothing: readonly MetricProblem[] = [];

const limitNames = ['failureLimit', 'successfulLimit', 'inconclusiveLimit', 'consecutiveErrorLimit'] as const;
const countedLimits = ['failureLimit', 'successfulLimit', 'inconclusiveLimit'] as const;
const spanNames = ['interval', 'initialDelay', 'noDataWait'] as const;

const tooSmallCount: Check = (metric) => {
  const { count = 0 } = metric;
  return countedLimits.flatMap((name) =>
    count > 0 && count < (metric[name] ?? 0)
      ? problem(name, `count (${count}) must not be less than ${name} (${metric[name]})`)
      : nothing,
  );
};

const missingInterval: Check = (metric) =>
  (metric.count ?? 0) > 1 && (metric.interval === undefined || metric.interval === '')
    ? problem('interval', `a count of ${metric.count} needs an interval, such as 60s`)
    : nothing;

const spans: Check = (metric) =>
  spanNames.flatMap((name) => {
    const text = metric[name];
    if (text === undefined || text === '' || parseDuration(text) !== undefined) return nothing;
    return problem(name, `"${text}" is not a duration: use a value such as 30s, 5m or 1h30m`);
  });

const zeroInterval: Check = (metric) =>
  (metric.count ?? 0) > 1 &&
  parseDuration(metric.interval ?? '') !== undefined &&
  intervalOf(metric) === undefined
    ? problem('interval', 'the interval must be at least 1ms')
    : nothing;

const negativeLimits: Check = (metric) =>
  limitNames.flatMap((name) =>
    (metric[name] ?? 0) < 0 ? problem(name, `${name} must not be negative, and is ${metric[name]}`) : nothing,
  );

const streakLimit: Check = ({ consecutiveSuccessfulLimit: limit }) =>
  limit !== undefined && limit < 1
    ? problem('consecutiveSuccessfulLimit', `consecutiveSuccessfulLimit must be at least 1, and is ${limit}`)
    : nothing;

const conditions: Check = (metric) =>
  (['successCondition', 'failureCondition'] as const).flatMap((name) => {
    const found = problemOfCondition(metric, name);
    return found === undefined ? nothing : problem(name, found);
  });

const checks: readonly Check[] = [
  tooSmallCount,
  missingInterval,
  spans,
  zeroInterval,
  negativeLimits,
  streakLimit,
  (metric) => {
    const read = readProvider(metric);
    if (read.type === 'refused') return problem('provider', read.message);
    const errors = providerFindings(metric).filter(({ severity }) => severity === 'error');
    return [...conditions(metric), ...errors.map(({ path, message }) => ({ path, message }))];
  },
];
