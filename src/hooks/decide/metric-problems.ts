import { providerNames, type HookArg, type Metric } from '#hooks/kinds/metric.ts';
import { parseDuration } from '#base/duration.ts';
import { compileJsonPathTemplate } from '#kube/jsonpath-template.ts';
import { problemOfCondition } from './conditions.ts';
import { intervalOf } from './limits.ts';
import { filledFields } from './placeholder-fields.ts';
import { takeApart } from './placeholders.ts';

/** Something that cannot work, and where: a path inside the metric. */
export type MetricProblem = { readonly path: string; readonly message: string };

type Check = (metric: Metric) => readonly MetricProblem[];

/** What makes a metric impossible to carry out, in the order of §1.1 (3 to 11). */
export function metricProblems(metric: Metric): readonly MetricProblem[] {
  return checks.flatMap((check) => check(metric));
}

/** `name`: the argument that is not there. */
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
    return problem(name, `"${text}" is not a span of time: write it like 30s, 5m or 1h30m`);
  });

const zeroInterval: Check = (metric) =>
  (metric.count ?? 0) > 1 &&
  parseDuration(metric.interval ?? '') !== undefined &&
  intervalOf(metric) === undefined
    ? problem('interval', 'an interval of zero is none: give at least 1ms')
    : nothing;

const negativeLimits: Check = (metric) =>
  limitNames.flatMap((name) =>
    (metric[name] ?? 0) < 0 ? problem(name, `${name} must not be negative, and is ${metric[name]}`) : nothing,
  );

const streakLimit: Check = ({ consecutiveSuccessfulLimit: limit }) =>
  limit !== undefined && limit < 1
    ? problem('consecutiveSuccessfulLimit', `consecutiveSuccessfulLimit must be at least 1, and is ${limit}`)
    : nothing;

const oneProvider: Check = ({ provider }) => {
  const names = Object.entries(provider ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  const unknown = names.filter((name) => !providerNames.includes(name));
  if (unknown.length > 0)
    return problem(
      'provider',
      `this version does not know the provider ${unknown.join(', ')}: update the controller, or name one of ${providerNames.join(', ')}`,
    );
  if (names.length === 1) return nothing;
  return problem(
    'provider',
    names.length === 0
      ? `no provider: name one of ${providerNames.join(', ')}`
      : `more than one provider (${names.join(', ')}): make each a metric of its own`,
  );
};

/** What is not known must not be taken for a patch. */
const kubernetesFunction: Check = ({ provider: { kubernetes } }) => {
  const name: string | undefined = kubernetes?.function;
  if (name === undefined || functionNames.has(name)) return nothing;
  return problem(
    'provider.kubernetes.function',
    `this version does not know the function ${name}: update the controller, or choose get or patch`,
  );
};
const functionNames: ReadonlySet<string> = new Set(['get', 'patch']);

const conditions: Check = (metric) =>
  (['successCondition', 'failureCondition'] as const).flatMap((name) => {
    const found = problemOfCondition(metric, name);
    return found === undefined ? nothing : problem(name, found);
  });

const jsonPaths: Check = ({ provider: { web, kubernetes } }) => {
  const paths = [
    ...(web?.jsonPath === undefined ? [] : [{ path: 'provider.web.jsonPath', text: web.jsonPath }]),
    ...(kubernetes?.fields ?? []).flatMap(({ path: text }, i) =>
      text.includes('{') ? [{ path: `provider.kubernetes.fields[${i}].path`, text }] : [],
    ),
  ];
  return paths.flatMap(({ path, text }) => {
    const compiled = compileJsonPathTemplate(text);
    return compiled.type === 'problem' ? problem(path, compiled.message) : nothing;
  });
};

const addresses: Check = ({ provider: { web, prometheus } }) => {
  const texts = [
    { path: 'provider.web.url', text: web?.url },
    { path: 'provider.prometheus.address', text: prometheus?.address },
  ];
  return texts.flatMap(({ path, text }) =>
    text === undefined || /^(?:https?:\/\/[^/?#]|\{\{)/i.test(text)
      ? nothing
      : problem(path, `"${text.slice(0, 80)}" is no address: begin it with http:// or https:// and a host`),
  );
};

const twoBodies: Check = ({ provider: { web } }) =>
  web?.body === undefined || web.jsonBody === undefined
    ? nothing
    : problem('provider.web.body', 'there are both a body and a jsonBody: give one of them');

const checks: readonly Check[] = [
  tooSmallCount,
  missingInterval,
  spans,
  zeroInterval,
  negativeLimits,
  streakLimit,
  oneProvider,
  (metric) =>
    oneProvider(metric).length > 0
      ? nothing
      : [kubernetesFunction, conditions, jsonPaths, addresses, twoBodies].flatMap((check) => check(metric)),
];
