import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { millis } from '#base/time.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import { witnessOf } from '#hooks/call/evidence.ts';
import { prometheusReading } from './prometheus-answer.ts';

function read(body: string, { status = 200, isRange = false } = {}): ProviderReading {
  const answer = { type: 'answer', status, headers: {}, body, latency: millis(3) } as const;
  return prometheusReading(
    answer,
    { shown: 'http://p/api/v1/query up', isRange },
    witnessOf({ used: [], fields: [] }),
  );
}
const success = (resultType: string, result: Json, more: object = {}): string =>
  JSON.stringify({ status: 'success', data: { resultType, result }, ...more });
const vector = (...values: readonly string[]): string =>
  success(
    'vector',
    values.map((value) => ({ metric: {}, value: [1, value] })),
  );

test.for<[string, unknown, string]>([
  [success('scalar', [1, '0.25']), 0.25, '0.25'],
  [success('scalar', [1, '1e+30']), 1e30, '1e+30'],
  [vector('1', '+Inf', '-Inf'), [1, Infinity, -Infinity], '[1,+Inf,-Inf]'],
])('%s is a value', ([body, result, value]) => {
  expect(read(body)).toMatchObject({
    type: 'value',
    result,
    value,
    evidence: { status: 200, latencyMs: 3, body },
  });
});

test('one NaN among the samples makes it inconclusive', () => {
  expect(read(vector('1', 'NaN'))).toMatchObject({
    type: 'verdict',
    phase: 'Inconclusive',
    value: '[1,NaN]',
  });
});

test('the points of a range follow each other, series after series', () => {
  const series = [['1', '2'], ['3']].map((values) => ({
    metric: {},
    values: values.map((value) => [0, value]),
  }));
  expect(read(success('matrix', series), { isRange: true })).toMatchObject({
    result: [1, 2, 3],
    value: '[1,2,3]',
  });
  expect(read(success('matrix', []), { isRange: true })).toMatchObject({ type: 'no-data', result: [] });
});

test('warnings stand before the body, and beside an empty answer', () => {
  const warnings = { warnings: ['a shard is down'] };
  expect(read(success('scalar', [1, '1'], warnings)).evidence.body).toMatch(
    /^warning: a shard is down\n\{"status"/,
  );
  expect(read(success('vector', []))).toMatchObject({ type: 'no-data', result: [] });
  const doubtful = read(success('vector', [], warnings));
  expect(doubtful).not.toHaveProperty('result');
  expect(doubtful).toMatchObject({
    type: 'no-data',
    why: 'the query has no result (warning: a shard is down)',
  });
});

const refusals: readonly [body: string, options: { status?: number; isRange?: boolean }, says: RegExp][] = [
  [
    '{"status":"error","errorType":"bad_data","error":"parse error at char 3"}',
    { status: 400 },
    /^Prometheus refused the query \(bad_data\): parse error at char 3$/,
  ],
  ['{"status":"error","error":"too slow"}', { status: 503 }, /refused the query \(503\): too slow/],
  ['<html>', { status: 502 }, /^Prometheus answered 502: <html>$/],
  ['404 page not found', { status: 404 }, /answered 404: 404 page not found; is this the address/],
  ['<html>', {}, /not from Prometheus: check the address: <html>/],
  ['{"age":45}', {}, /not from Prometheus/],
  ['', {}, /not from Prometheus/],
  [success('string', [1, 'x']), {}, /a string where numbers are needed$/],
  [success('matrix', []), {}, /a matrix where numbers are needed: use a function/],
  [success('vector', []), { isRange: true }, /a vector where/],
  [success('vector', [{ metric: {}, histogram: [1, { count: '1' }] }]), {}, /histograms, not numbers/],
  [success('matrix', [{ metric: {}, histograms: [] }]), { isRange: true }, /histograms/],
  [success('scalar', 'x'), {}, /has no number/],
  [success('scalar', [1, 2]), {}, /has no number/],
  [success('scalar', [1, 'many']), {}, /the sample "many"/],
  [success('scalar', [1, '']), {}, /the sample ""/],
  ['{"status":"success"}', {}, /a thing where numbers are needed/],
];
test.for(refusals)('%s %j is an error', ([body, options, says]) => {
  expect(read(body, options)).toMatchObject({ type: 'error', message: expect.stringMatching(says) });
});
