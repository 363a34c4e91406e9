import { expect, test } from 'vitest';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { leastDuration } from './least-duration.ts';
import { neverFails } from './never-fails.ts';

type MetricFields = Partial<Metric>;

const web: Metric['provider'] = { web: { url: 'http://127.0.0.1:9091', jsonPath: '{$.age}' } };

const templateOf = (
  metrics: readonly MetricFields[],
  policy?: 'Ordered' | 'Parallel',
): Pick<HookTemplate, 'spec'> => ({
  spec: {
    metrics: metrics.map((metric, at) => ({ name: `m${at}`, provider: web, ...metric })),
    ...(policy === undefined ? {} : { policy }),
  },
});

const success = 'asInt(result) < 30';
const failure = 'asInt(result) > 60';

test.for<[MetricFields, string | undefined]>([
  [{}, 'metric m0 has no condition'],
  [{ successCondition: success }, undefined],
  [{ failureCondition: failure }, undefined],
  [{ successCondition: 'true' }, 'metric m0 has a condition that never fails'],
  [{ failureCondition: 'false' }, 'metric m0 has a condition that never fails'],
  [{ successCondition: success, failureLimit: 1 }, 'metric m0 tolerates 1 failures in 1 calls'],
  [{ successCondition: success, failureLimit: 1, count: 2, interval: '1s' }, undefined],
  [{ successCondition: success, failureLimit: 9, interval: '1s' }, undefined],
  // Neither condition is true: inconclusive, which is as bad.
  [{ successCondition: success, failureCondition: failure, failureLimit: 1 }, undefined],
  [
    { successCondition: success, failureCondition: failure, failureLimit: 1, inconclusiveLimit: 1 },
    'metric m0 tolerates 1 failures in 1 calls',
  ],
  [{ noData: 'Fail' }, undefined],
  [{ noData: 'Inconclusive' }, undefined],
  [{ successCondition: 'result <' }, undefined],
])('%j: %s', ([metric, why]) => {
  expect(neverFails(templateOf([metric]))).toBe(why);
});

test('one metric that can fail is enough', () => {
  expect(neverFails(templateOf([{}, { successCondition: success }]))).toBeUndefined();
  expect(neverFails(templateOf([{}, {}]))).toBe('metric m0 has no condition, metric m1 has no condition');
});

test.for<[readonly MetricFields[], 'Ordered' | 'Parallel' | undefined, number | undefined]>([
  [[{}], undefined, 0],
  [[{ count: 3, interval: '30s', initialDelay: '10s' }], undefined, 70_000],
  [[{ count: 9, successfulLimit: 2, interval: '30s' }], undefined, 30_000],
  [[{ interval: '30s', consecutiveSuccessfulLimit: 3 }], undefined, 60_000],
  [[{ interval: '30s' }], undefined, undefined],
  [[{ count: 3, interval: '30s' }, { initialDelay: '5m' }], undefined, 300_000],
  [[{ count: 3, interval: '30s' }, { initialDelay: '5m' }], 'Ordered', 360_000],
])('the least duration of %j, %s: %s ms', ([metrics, policy, expected]) => {
  expect(leastDuration(templateOf(metrics, policy))).toBe(expected);
});
