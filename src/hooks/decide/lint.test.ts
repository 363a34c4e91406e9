import { expect, test } from 'vitest';
import type { HookArg, Metric } from '#hooks/kinds/metric.ts';
import { lintTemplate } from './lint.ts';
import { webMetric } from './testing/play.ts';

const lint = (metric: Partial<Metric>, args: readonly HookArg[] = []) =>
  lintTemplate({ spec: { args, metrics: [webMetric(metric)] } });
const url = (text: string): Partial<Metric> => ({ provider: { web: { url: text } } });

const prometheus: Partial<Metric> = { provider: { prometheus: { address: 'http://p', query: 'up' } } };

type Row = readonly [severity: 'error' | 'warning', path: string, message: string, metric: Partial<Metric>];

test.for<Row>([
  ['error', 'successCondition', 'asInt', { successCondition: 'result < 30' }],
  ['error', 'interval', 'needs an interval', { count: 2 }],
  ['error', 'provider.web.url', '{{ args.x }} names no argument', url('http://h/{{ args.x }}')],
  [
    'warning',
    'provider.web.url',
    '{{ args.PodIP }} exists only in hooks of a pod',
    url('http://{{ args.PodIP }}'),
  ],
  [
    'warning',
    'successCondition',
    'can never be true',
    { successCondition: 'asInt(result) < 3 && asInt(result) > 9' },
  ],
  [
    'warning',
    'successCondition',
    'is always true',
    { successCondition: 'asInt(result) < 3 || asInt(result) > 1' },
  ],
  [
    'warning',
    'successCondition',
    'the part (asInt(result) < 3 && asInt(result) > 9) can never be true',
    { successCondition: 'asInt(result) == 5 || (asInt(result) < 3 && asInt(result) > 9)' },
  ],
  [
    'warning',
    'failureCondition',
    'the part false can never be true',
    { failureCondition: 'asInt(result) > 5 ? asInt(result) < 9 : false' },
  ],
  [
    'warning',
    'successCondition',
    'the part len(result) == 0 can never be true',
    { ...prometheus, noData: 'Fail', successCondition: 'len(result) == 0 || result[0] < 1' },
  ],
  [
    'warning',
    'successCondition',
    'can never be true: no call succeeds',
    { ...prometheus, noData: 'Error', successCondition: 'len(result) == 0' },
  ],
  ['warning', 'interval', 'is below 100ms', { count: 2, interval: '99ms' }],
  ['warning', 'failureCondition', 'can never be true', { failureCondition: 'false' }],
  ['warning', 'failureCondition', 'every call fails', { failureCondition: 'true' }],
  [
    'warning',
    'failureLimit',
    'can never be exceeded: 3 calls are made, and 3',
    { count: 3, interval: '1s', failureLimit: 3 },
  ],
  ['warning', 'failureLimit', 'one call is made', { failureLimit: 1 }],
  [
    'warning',
    'inconclusiveLimit',
    'can never be exceeded',
    { count: 3, interval: '1s', inconclusiveLimit: 3 },
  ],
  [
    'warning',
    'consecutiveSuccessfulLimit',
    'can never be reached',
    { count: 3, interval: '1s', consecutiveSuccessfulLimit: 4 },
  ],
  ['warning', 'interval', 'without a count the metric never becomes Successful', { interval: '1s' }],
  [
    'warning',
    'provider.web.jsonPath',
    'has no braces',
    { provider: { web: { url: 'http://h', jsonPath: '$.age' } } },
  ],
  ['warning', 'noDataWait', 'unless noData is Wait', { noDataWait: '1m' }],
  [
    'warning',
    'successCondition',
    'a Job succeeds when it completes',
    { successCondition: 'result == ""', provider: { job: { spec: {} } } },
  ],
  [
    'warning',
    'provider.web.headers[0]',
    'a has no value',
    { provider: { web: { url: 'http://h', headers: [{ key: 'a' }] } } },
  ],
])('%s at %s: %s', ([severity, path, message, metric]) => {
  expect(lint(metric)).toContainEqual(
    expect.objectContaining({
      severity,
      path: `spec.metrics[0].${path}`,
      message: expect.stringContaining(message) as string,
    }),
  );
});

test("the seed's template is clean", () => {
  const metric = { count: 2, interval: '60s', failureLimit: 0, successCondition: 'asInt(result) < 30' };
  expect(lint(metric, [{ name: 'service-name', value: 'svc' }, { name: 'PodName' }])).toEqual([]);
});

test.for<Partial<Metric>>([
  { interval: '1s', successfulLimit: 1 },
  { count: 3, interval: '1s', failureLimit: 2, consecutiveSuccessfulLimit: 3 },
  { noData: 'Wait', noDataWait: '1m' },
  { ...prometheus, successCondition: 'len(result) == 0 || result[0] < 1' },
  { successCondition: 'asInt(result) < 3 || (asInt(result) > 5 && asInt(result) != 7)' },
])('%j is clean', (metric) => {
  expect(lint(metric)).toEqual([]);
});
