import type { TObject } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import { stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import type { Static } from 'typebox';
import { providerSchema, providerWires, strictProviderSchema } from './providers.ts';

/** Templates refuse at once what a run would be ended for; runs are read leniently and judged by the controller. */
export type Strictness = 'template' | 'run';

export const noDataWords = ['Error', 'Wait', 'Inconclusive', 'Fail', 'Pass'] as const;

export const Arg = Type.Object({
  name: Type.String({ description: 'Its name.', minLength: 1, maxLength: 253 }),
  value: Type.Optional(
    Type.String({
      description: 'Its value. Without one it must be given when a run is made.',
      maxLength: 65_536,
    }),
  ),
});

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
    name: Type.String({ description: 'Tells metrics apart.', minLength: 1, maxLength: 253 }),
    interval: span(
      'From the planned start of one call to that of the next, such as 60s. At least 100ms, or what --min-hook-interval of the controller says; shorter ones are raised to it.',
    ),
    initialDelay: span('How long after the start of the run the first call is made.'),
    count: count('How many calls; 1 without an interval, endless with one, unless given.'),
    successCondition: condition('True when the result is good, such as asInt(result) < 30.'),
    failureCondition: condition('True when the result is bad; counts more than successCondition.'),
    failureLimit: count('How many failures are tolerated; none unless given.'),
    inconclusiveLimit: count('How many undecided results are tolerated; none unless given.'),
    consecutiveErrorLimit: count('How many errors in a row are tolerated; 4 unless given.'),
    successfulLimit: count('So many good results are enough.'),
    consecutiveSuccessfulLimit: count('So many good results in a row are enough.', 1),
    noData: Type.Optional(
      stringEnum(noDataWords, {
        description:
          'What an answer without data means (an empty vector, a missing key): Error unless given. Wait asks again and counts nothing. Unless it is given, conditions see an empty vector as an empty list: len(result) == 0.',
      }),
    ),
    noDataWait: span('How long Wait may wait in all before it is an Error; 5m unless given.'),
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

/** One question: whom to ask, how often, and what answers are good. */
export const TemplateMetric = Type.Object(fieldsOf('template'), { 'x-kubernetes-validations': rules });
export const RunMetric = Type.Object(fieldsOf('run'));

export type Metric = Frozen<Static<typeof RunMetric>>;
export type HookArg = Frozen<Static<typeof Arg>>;
export type NoData = (typeof noDataWords)[number];

/** What a template and a run share beside metrics and args. */
export const commonFields = {
  policy: Type.Optional(
    stringEnum(['Parallel', 'Ordered'], {
      description: 'Ordered: a metric starts when the one before it is complete. Parallel unless given.',
    }),
  ),
  serviceAccountName: Type.Optional(
    Type.String({
      description: 'With whose rights the providers kubernetes and job act; default unless given.',
      maxLength: 253,
    }),
  ),
  measurementRetention: Type.Optional(
    Type.Integer({
      description: 'How many measurements of a metric are kept; 10 unless given.',
      minimum: 1,
      maximum: 100,
    }),
  ),
  ttlAfterFinished: Type.Optional(
    Type.String({
      description: 'How long a finished run is kept; for ever unless given.',
      pattern: durationPattern,
      maxLength: 40,
    }),
  ),
} satisfies TObject['properties'];
