import { expect, test } from 'vitest';
import type { MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { assessMetric, worstOf } from './assess.ts';
import { webMetric } from './testing/play.ts';

const done = { phase: 'Successful', finishedAt: '2020-11-09T10:08:49Z' } as const;
const measured = (fields: Partial<MetricResult>): Partial<MetricResult> => ({
  measurements: [done],
  ...fields,
});
const endless = { interval: '1s' };

type Row = {
  readonly name: string;
  readonly metric?: Partial<Metric>;
  readonly result: Partial<MetricResult>;
  readonly terminating?: boolean;
  readonly phase: string;
};

/** The rules in their order, and the cases of assessMetricStatus in the original controller. */
const rows: readonly Row[] = [
  { name: '1 a final phase stays', result: { phase: 'Failed' }, phase: 'Failed' },
  {
    name: '1 also when all is well since',
    result: measured({ phase: 'Error', count: 9, successful: 9 }),
    phase: 'Error',
  },
  { name: '2 nothing measured is Pending', result: {}, phase: 'Pending' },
  { name: '2 nothing measured and ending is Successful', result: {}, terminating: true, phase: 'Successful' },
  {
    name: '3 an unfinished call is Running',
    result: { measurements: [{ phase: 'Running' }] },
    phase: 'Running',
  },
  { name: '4 one failure is one too many', result: measured({ failed: 1, count: 1 }), phase: 'Failed' },
  {
    name: '4 as many failures as tolerated',
    metric: { ...endless, failureLimit: 2 },
    result: measured({ failed: 2, count: 2 }),
    phase: 'Running',
  },
  {
    name: '4 one failure more than tolerated',
    metric: { ...endless, failureLimit: 2 },
    result: measured({ failed: 3, count: 3 }),
    phase: 'Failed',
  },
  {
    name: '4 beats 5: too many failures with enough successes',
    metric: { ...endless, successfulLimit: 1 },
    result: measured({ failed: 1, successful: 1, count: 2 }),
    phase: 'Failed',
  },
  {
    name: '4 beats 9: the count is reached with failures only',
    metric: { count: 2, interval: '1s' },
    result: measured({ failed: 2, count: 2 }),
    phase: 'Failed',
  },
  {
    name: '5 enough successes',
    metric: { ...endless, successfulLimit: 2 },
    result: measured({ successful: 2, count: 2 }),
    phase: 'Successful',
  },
  {
    name: '5 one too few',
    metric: { ...endless, successfulLimit: 3 },
    result: measured({ successful: 2, count: 2 }),
    phase: 'Running',
  },
  {
    name: '5 beats 6',
    metric: { ...endless, successfulLimit: 1 },
    result: measured({ successful: 1, inconclusive: 1, count: 2 }),
    phase: 'Successful',
  },
  {
    name: '6 one undecided is one too many',
    metric: endless,
    result: measured({ inconclusive: 1, count: 1 }),
    phase: 'Inconclusive',
  },
  {
    name: '6 more undecided than tolerated',
    metric: { ...endless, inconclusiveLimit: 2 },
    result: measured({ inconclusive: 3, count: 3 }),
    phase: 'Inconclusive',
  },
  {
    name: '6 as many undecided as tolerated',
    metric: { ...endless, inconclusiveLimit: 2 },
    result: measured({ inconclusive: 2, count: 2 }),
    phase: 'Running',
  },
  {
    name: '7 four errors in a row are tolerated',
    result: measured({ error: 4, consecutiveError: 4 }),
    phase: 'Running',
  },
  { name: '7 the fifth is not', result: measured({ error: 5, consecutiveError: 5 }), phase: 'Error' },
  {
    name: '7 more errors in a row than given',
    metric: { consecutiveErrorLimit: 1 },
    result: measured({ error: 4, consecutiveError: 4 }),
    phase: 'Error',
  },
  {
    name: '7 a limit of zero tolerates none',
    metric: { consecutiveErrorLimit: 0 },
    result: measured({ error: 1, consecutiveError: 1 }),
    phase: 'Error',
  },
  {
    name: '7 errors that are not in a row',
    result: measured({ error: 9, consecutiveError: 1 }),
    phase: 'Running',
  },
  {
    name: '8 a long enough streak',
    metric: { ...endless, consecutiveSuccessfulLimit: 3 },
    result: measured({ successful: 5, consecutiveSuccessful: 3, count: 6 }),
    phase: 'Successful',
  },
  {
    name: '8 a streak too short',
    metric: { ...endless, consecutiveSuccessfulLimit: 3 },
    result: measured({ successful: 5, consecutiveSuccessful: 2, count: 6 }),
    phase: 'Running',
  },
  {
    name: '9 the count is reached',
    metric: { count: 2, interval: '1s' },
    result: measured({ successful: 2, count: 2 }),
    phase: 'Successful',
  },
  {
    name: '9 tolerated failures do not matter',
    metric: { count: 2, interval: '1s', failureLimit: 1 },
    result: measured({ successful: 1, failed: 1, count: 2 }),
    phase: 'Successful',
  },
  {
    name: '9 without count and interval one is enough',
    result: measured({ successful: 1, count: 1 }),
    phase: 'Successful',
  },
  {
    name: '9 with an interval only there is no end',
    metric: endless,
    result: measured({ successful: 999, count: 999 }),
    phase: 'Running',
  },
  {
    name: '9 a negative count is reached by any call',
    metric: { count: -1, interval: '1s' },
    result: measured({ successful: 1, count: 1 }),
    phase: 'Successful',
  },
  {
    name: '10 undecided and ending',
    metric: endless,
    result: measured({ successful: 1, count: 1 }),
    terminating: true,
    phase: 'Successful',
  },
  {
    name: '10 after 4: a failure stays one',
    result: measured({ failed: 1, count: 1 }),
    terminating: true,
    phase: 'Failed',
  },
  { name: '11 undecided', metric: endless, result: measured({ successful: 1, count: 1 }), phase: 'Running' },
];

test.for(rows)('$name', ({ metric, result, terminating, phase }) => {
  const found = assessMetric(
    webMetric(metric),
    { name: 'webtest', ...result },
    terminating === true ? 'Successful' : undefined,
  );
  expect(found.phase).toBe(phase);
});

test.for([
  { phases: [], worst: 'Successful' },
  { phases: ['Successful', 'Successful'], worst: 'Successful' },
  { phases: ['Successful', 'Inconclusive'], worst: 'Inconclusive' },
  { phases: ['Error', 'Inconclusive'], worst: 'Error' },
  { phases: ['Error', 'Failed', 'Inconclusive', 'Successful'], worst: 'Failed' },
] as const)('the worst of $phases is $worst', ({ phases, worst }) => {
  expect(worstOf(phases)).toBe(worst);
});
