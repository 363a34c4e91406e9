import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { stringEnum } from '#schema/kind/field.ts';
import { defineKind, type Frozen, type ObjectOf } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { Arg, commonFields, RunMetric } from './metric.ts';

const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));
const tally = (description: string) => Type.Optional(Type.Integer({ description, format: 'int32' }));
const text = (description: string) => Type.Optional(Type.String({ description }));

/** From the beginning to the end. All but Pending and Running are final. */
export const phases = ['Pending', 'Running', 'Successful', 'Failed', 'Error', 'Inconclusive'] as const;
/** What a run that is stopped can end as. */
export const stopVerdicts = ['Successful', 'Failed', 'Inconclusive'] as const;
const phase = (description: string) => Type.Optional(stringEnum(phases, { description }));

const Evidence = Type.Object(
  {
    request: text('What was asked: method and address, or the question. Secrets are left out.'),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status of the answer.' })),
    latencyMs: Type.Optional(Type.Integer({ description: 'How long the answer took.' })),
    body: text('The beginning of the answer.'),
    expression: text('The condition that decided.'),
    because: Type.Optional(
      Type.Array(Type.String(), { description: 'The values in it that decided.', maxItems: 16 }),
    ),
  },
  { description: 'What the hook saw.' },
);

const Measurement = Type.Object({
  phase: phase('How it came out.'),
  message: text('Why, when it did not go well.'),
  startedAt: time('When the call was made.'),
  finishedAt: time('When its answer was there.'),
  plannedAt: time('When the call was due, to the microsecond.'),
  resumeAt: time('When to look at it again.'),
  value: text('The result as text.'),
  evidence: Type.Optional(Evidence),
});

const MetricResult = Type.Object({
  name: Type.String({ description: 'The metric.' }),
  phase: phase('How it stands.'),
  message: text('Why it ended so.'),
  count: tally('Calls that count.'),
  successful: tally('Good results.'),
  failed: tally('Bad results.'),
  inconclusive: tally('Undecided results.'),
  error: tally('Calls that did not work.'),
  consecutiveError: tally('Errors in a row, up to now.'),
  consecutiveSuccessful: tally('Good results in a row, up to now.'),
  plannedFrom: time(
    'The planned start of its first call, to the microsecond; all others are counted from it.',
  ),
  noDataSince: time('Since when answers have had no data.'),
  measurements: Type.Optional(Type.Array(Measurement, { description: 'The newest calls, newest last.' })),
});

export const hookRun = defineKind({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  kind: 'HookRun',
  plural: 'hookruns',
  shortNames: [],
  categories: ['boathook'],
  scope: 'Namespaced',
  description: 'Asks the questions of a template, again and again if need be, and comes to a verdict.',
  schema: Type.Object({
    spec: Type.Object(
      {
        args: Type.Optional(Type.Array(Arg, { description: 'What is filled in as {{ args.NAME }}.' })),
        metrics: Type.Optional(Type.Array(RunMetric, { description: 'The questions.' })),
        terminate: Type.Optional(
          Type.Boolean({
            description: 'Ask no more. What is undecided ends as terminateVerdict says.',
          }),
        ),
        terminateVerdict: Type.Optional(
          stringEnum(stopVerdicts, {
            description:
              'What undecided metrics, and so the run, end as with terminate; Successful unless given. Failed and Inconclusive stop a run without letting on what waits for it.',
          }),
        ),
        ...commonFields,
      },
      { description: 'What is asked.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          phase: phase('The verdict, once it is final.'),
          message: text('Why it could not be carried out, or ended as it did.'),
          startedAt: time('When the controller took it up.'),
          finishedAt: time('When the verdict was final.'),
          metricResults: Type.Optional(
            Type.Array(MetricResult, { description: 'One per metric that has been asked.' }),
          ),
          summary: text('Each metric and how it stands, for kubectl get -o wide.'),
          conditions: conditionList('Complete: a verdict was reached. Failed: it is Failed or Error.'),
        },
        { description: 'How far it is.' },
      ),
    ),
  }),
  columns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'The verdict' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Metrics',
      type: 'string',
      jsonPath: '.status.summary',
      description: 'How each stands',
      wide: true,
    },
    { name: 'Message', type: 'string', jsonPath: '.status.message', description: 'Why', wide: true },
  ],
  hasStatus: true,
});

export type HookRun = ObjectOf<typeof hookRun>;
export type HookRunSpec = HookRun['spec'];
export type HookRunStatus = NonNullable<HookRun['status']>;
export type MetricResult = Frozen<Static<typeof MetricResult>>;
export type Measurement = Frozen<Static<typeof Measurement>>;
export type Evidence = Frozen<Static<typeof Evidence>>;
export type Phase = (typeof phases)[number];
