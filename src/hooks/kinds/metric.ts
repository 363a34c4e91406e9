import type { TObject } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import { optionalEnum, optionalInteger, optionalString } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import type { Static } from 'typebox';
import { providerSchema, providerWires, strictProviderSchema } from './providers.ts';

/** The schema of templates refuses what would end a run. The schema of runs is lenient: the controller reports the error. */
export type Strictness = 'template' | 'run';

export const noDataWords = ['Error', 'Wait', 'Inconclusive', 'Fail', 'Pass'] as const;

export const Arg = Type.Object({
  name: Type.String({ description: 'Name of the argument.', minLength: 1, maxLength: 253 }),
  value: optionalString(
    'Value of the argument. An argument without a value must be set when a run is created.',
    { maxLength: 65_536 },
  ),
});

const noData = optionalEnum(
  noDataWords,
  'Phase of a reply without data, such as an empty vector or a missing key. Wait repeats the call and counts nothing. Default: Error; but conditions can test an empty vector with len(result) == 0 if noData is not set.',
);

const fieldsOf = (strictness: Strictness) => {
  const strict = strictness === 'template';
  const least = (minimum: number) => (strict ? { minimum } : {});
  const count = (description: string, minimum = 0) =>
    Type.Optional(Type.Integer({ description, format: 'int32', ...least(minimum) }));
  const span = (description: string) =>
    Type.Optional(
      Type.String({ description, maxLength: 64, ...(strict ? { pattern: durationPattern } : {}) }),
    );
  const condition = (description: string) =>
    Type.Optional(Type.String({ description, ...(strict ? { maxLength: 16_384 } : {}) }));
  return {
    name: Type.String({
      description: 'Name of the metric, unique in its list.',
      minLength: 1,
      maxLength: 253,
    }),
    interval: span(
      'Time between the planned starts of two calls, such as 60s. The minimum is --min-hook-interval of the controller, 100ms by default; shorter intervals are raised to it.',
    ),
    initialDelay: span('Delay of the first call after the start of the run. Default: none.'),
    count: count('Number of calls. Default: 1 without an interval, unlimited with one.'),
    successCondition: condition('Expression that is true if the result is good, such as asInt(result) < 30.'),
    failureCondition: condition(
      'Expression that is true if the result is bad. It takes precedence over successCondition.',
    ),
    failureLimit: count(
      'Number of failed calls that are tolerated. One more, and the metric is Failed. Default: 0.',
    ),
    inconclusiveLimit: count(
      'Number of inconclusive calls that are tolerated. One more, and the metric is Inconclusive. Default: 0.',
    ),
    consecutiveErrorLimit: count(
      'Number of errors in a row that are tolerated. One more, and the metric is Error. Default: 4.',
    ),
    successfulLimit: count(
      'Number of successful calls with which the metric is Successful before count is reached.',
    ),
    consecutiveSuccessfulLimit: count(
      'Number of successful calls in a row with which the metric is Successful before count is reached.',
      1,
    ),
    noData,
    noDataWait: span(
      'Maximum time without data for noData: Wait, after which the call is an Error. Default: 5m.',
    ),
    provider: strict ? strictProviderSchema(providerWires) : providerSchema(providerWires),
  };
};

const rules = [
  {
    rule: '!has(self.count) || self.count <= 1 || has(self.interval)',
    message: 'a count of more than 1 needs an interval',
  },
  ...(['failureLimit', 'successfulLimit', 'inconclusiveLimit'] as const).map((limit) => ({
    rule: `!has(self.count) || self.count == 0 || !has(self.${limit}) || self.${limit} <= self.count`,
    message: `count must not be less than ${limit}`,
  })),
];

/** A provider, when it is called, and which results are good. */
export const TemplateMetric = Type.Object(fieldsOf('template'), { 'x-kubernetes-validations': rules });
export const RunMetric = Type.Object(fieldsOf('run'));

export type Metric = Frozen<Static<typeof RunMetric>>;
export type HookArg = Frozen<Static<typeof Arg>>;
export type NoData = (typeof noDataWords)[number];

/** What a template and a run share beside metrics and args. */
export const commonFields = {
  policy: optionalEnum(
    ['Parallel', 'Ordered'],
    'Parallel: all metrics start at once. Ordered: a metric starts when the one before it is complete. Default: Parallel.',
  ),
  serviceAccountName: optionalString(
    'Name of the ServiceAccount whose permissions the providers kubernetes, job and machine use. Default: default.',
    { maxLength: 253 },
  ),
  measurementRetention: optionalInteger(
    'Number of measurements of a metric that are kept in the status. Default: 10.',
    { minimum: 1, maximum: 100 },
  ),
  ttlAfterFinished: optionalString(
    'Time after which a finished run is deleted, such as 24h. Default: never.',
    { pattern: durationPattern, maxLength: 40 },
  ),
} satisfies TObject['properties'];
