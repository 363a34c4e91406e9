import { expect, test } from 'vitest';
import type { Measurement, MetricResult } from '#hooks/kinds/hook-run.ts';
import { fitResults } from './fit-results.ts';

const evidence = { request: 'r'.repeat(1000), body: 'b'.repeat(2000), because: ['x'.repeat(100)] };
const measurement = (n: number): Measurement => ({
  phase: 'Failed',
  message: 'm'.repeat(1024),
  value: `${n} ${'v'.repeat(1000)}`,
  plannedAt: `2020-11-09T10:08:${String(10 + n)}.000000Z`,
  finishedAt: '2020-11-09T10:09:59Z',
  evidence,
});
const results = (metrics: number, each: number): readonly MetricResult[] =>
  Array.from({ length: metrics }, (_, i) => ({
    name: `m${i}`,
    count: each,
    failed: each,
    measurements: Array.from({ length: each }, (_each, n) => measurement(n)),
  }));

test('what fits stays as it is', () => {
  const few = results(3, 10);
  expect(fitResults(few)).toBe(few);
});

test.for([
  [50, 10],
  [50, 50],
  [200, 10],
  [200, 1],
])('%i metrics with %i measurements fit into a status', ([metrics = 0, each = 0]) => {
  const fitted = fitResults(results(metrics, each));
  expect(JSON.stringify(fitted).length).toBeLessThan(400_000);
  for (const { count, failed, measurements = [] } of fitted) {
    expect({ count, failed }).toEqual({ count: each, failed: each });
    // The newest is always there: what was counted is known by it.
    expect(measurements.at(-1)).toMatchObject({ plannedAt: measurement(each - 1).plannedAt });
  }
});

test('the newest keep their evidence, older ones their value in short', () => {
  const [first] = fitResults(results(10, 50));
  const kept = first?.measurements ?? [];
  expect(kept.at(-1)).toEqual(measurement(49));
  expect(kept[0]?.evidence).toBeUndefined();
  expect(kept[0]?.value).toHaveLength(120);
});

test('what was fitted once stays so', () => {
  const fitted = fitResults(results(200, 10));
  expect(fitResults(fitted)).toEqual(fitted);
});
