import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import {
  optionalBoolean,
  optionalEnum,
  optionalInteger,
  optionalList,
  stringEnum,
} from '#schema/kind/field.ts';
import { defineKind, type Frozen, type ObjectOf } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { Arg, commonFields, RunMetric } from './metric.ts';

const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));
const tally = (description: string) => Type.Optional(Type.Integer({ description, format: 'int32' }));
const text = (description: string) => Type.Optional(Type.String({ description }));

/** All but Pending and Running are final. */
export const phases = ['Pending', 'Running', 'Successful', 'Failed', 'Error', 'Inconclusive'] as const;
/** The verdicts of a run that is stopped. */
export const stopVerdicts = ['Successful', 'Failed', 'Inconclusive'] as const;
const phase = (description: string) => Type.Optional(stringEnum(phases, { description }));

const Evidence = Type.Object(
  {
    request: text('The request: method and URL, or the query. Secrets are masked.'),
    status: optionalInteger('HTTP status of the reply.'),
    latencyMs: optionalInteger('Time until the reply, in milliseconds.'),
    body: text('The beginning of the reply. Secrets are masked.'),
    expression: text('The condition that decided the phase.'),
    because: optionalList(Type.String(), 'The values in the condition that decided.', { maxItems: 16 }),
  },
  { description: 'Request, reply and condition of the call.' },
);

const Measurement = Type.Object({
  phase: phase('Result of the call. Pending: no data yet.'),
  message: text('Why the call did not succeed.'),
  startedAt: time('Time when the call started.'),
  finishedAt: time('Time when the call ended.'),
  plannedAt: time('Time when the call was due, in microseconds.'),
  resumeAt: time('Time of the next call, if it is not one interval later.'),
  value: text('The result as text, shortened to 1024 characters.'),
  evidence: Type.Optional(Evidence),
});

const MetricResult = Type.Object({
  name: Type.String({ description: 'Name of the metric.' }),
  phase: phase('Phase of the metric.'),
  message: text('Why the metric has this phase.'),
  count: tally('Number of calls that returned a result. Errors are not counted.'),
  successful: tally('Number of successful calls.'),
  failed: tally('Number of failed calls.'),
  inconclusive: tally('Number of inconclusive calls.'),
  error: tally('Number of calls that ended with an error.'),
  consecutiveError: tally('Number of errors in a row at the end.'),
  consecutiveSuccessful: tally('Number of successful calls in a row at the end.'),
  plannedFrom: time(
    'Planned start of the first call, in microseconds. The times of all other calls derive from it.',
  ),
  noDataSince: time('Time since which replies have had no data.'),
  measurements: optionalList(
    Measurement,
    'The latest calls, newest last. measurementRetention limits their number.',
  ),
});

export const hookRun = defineKind({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  kind: 'HookRun',
  plural: 'hookruns',
  shortNames: [],
  categories: ['boathook'],
  scope: 'Namespaced',
  description: 'Executes the metrics of a HookTemplate and has their verdict in its status.',
  schema: Type.Object({
    spec: Type.Object(
      {
        args: optionalList(Arg, 'Values of the placeholders {{ args.NAME }}.'),
        metrics: optionalList(RunMetric, 'Metrics to execute. At least one, at most 200.'),
        terminate: optionalBoolean(
          'Stops the run: no more calls are made, and undecided metrics end with terminateVerdict.',
        ),
        terminateVerdict: optionalEnum(
          stopVerdicts,
          'Phase of undecided metrics, and so of the run, when terminate is true. Default: Successful. With Failed or Inconclusive, the release or pod that waits for the run does not continue.',
        ),
        ...commonFields,
      },
      { description: 'Metrics, arguments and how to execute them.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          phase: phase('Pending or Running, then the verdict: Successful, Failed, Error or Inconclusive.'),
          message: text('Why the run has this verdict.'),
          startedAt: time('Time when the controller started the run.'),
          finishedAt: time('Time of the verdict.'),
          metricResults: optionalList(MetricResult, 'Results, one for each metric that was started.'),
          summary: text('Phase and number of calls of each metric, for kubectl get -o wide.'),
          conditions: conditionList(
            'Complete: the run has a verdict. Failed: the verdict is Failed or Error.',
          ),
        },
        { description: 'Progress and verdict of the run.' },
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
      description: 'Phase and number of calls of each metric',
      wide: true,
    },
    {
      name: 'Message',
      type: 'string',
      jsonPath: '.status.message',
      description: 'Why the run has this verdict',
      wide: true,
    },
  ],
  hasStatus: true,
});

export type HookRun = ObjectOf<typeof hookRun>;
export type HookRunSpec = HookRun['spec'];
export type HookRunStatus = NonNullable<HookRun['status']>;
export type MetricResult = Frozen<Static<typeof MetricResult>>;
export type Measurement = Frozen<Static<typeof Measurement>>;
export type Evidence = Frozen<Static<typeof Evidence>>;
export type RunPhase = (typeof phases)[number];
