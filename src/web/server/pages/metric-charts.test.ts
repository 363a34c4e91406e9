import { expect, test } from 'vitest';
import { metricCharts, numberIn } from './metric-charts.ts';

test.for<readonly [string, number | undefined]>([
  ['45', 45],
  ['"45"', 45],
  ['[0.5]', 0.5],
  ['["1e3"]', 1000],
  [' -3 ', -3],
  ['', undefined],
  ['ok', undefined],
  ['[1,2]', undefined],
  ['0x10', undefined],
  ['1e999', undefined],
  ['<img src=x onerror=alert(1)>', undefined],
])('the number in %s', ([value, number]) => {
  expect(numberIn(value)).toBe(number);
});

test('the evidence of a call', () => {
  const run = {
    spec: { metrics: [{ name: 'age', successCondition: 'asInt(result) < 30' }, { name: 'other' }] },
    status: {
      metricResults: [
        {
          name: 'age',
          phase: 'Failed',
          measurements: [
            {
              phase: 'Failed',
              startedAt: '2026-01-05T12:00:00Z',
              finishedAt: '2026-01-05T12:00:01Z',
              value: '45',
              evidence: {
                request: 'GET http://hooks.example/age',
                status: 200,
                latencyMs: 7,
                body: '{"age":45}',
                expression: 'asInt(result) < 30',
                because: ['asInt(result) = 45'],
              },
            },
            { phase: 'Error', startedAt: '2026-01-05T12:00:02Z', message: 'no answer' },
          ],
        },
      ],
    },
  };
  expect(metricCharts(run)).toEqual([
    {
      metric: 'age',
      phase: 'Failed',
      successCondition: 'asInt(result) < 30',
      thresholds: [{ value: 30, label: 'passes if < 30' }],
      points: [
        {
          time: '2026-01-05T12:00:01Z',
          phase: 'Failed',
          number: 45,
          value: '45',
          message: '',
          latencyMillis: 7,
          request: 'GET http://hooks.example/age',
          reply: 'HTTP 200\n{"age":45}',
          evaluation: 'asInt(result) < 30 (asInt(result) = 45): Failed',
        },
        { time: '2026-01-05T12:00:02Z', phase: 'Error', value: '', message: 'no answer' },
      ],
    },
    { metric: 'other', phase: 'Pending', thresholds: [], points: [] },
  ]);
});
