import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PrometheusProvider } from '#hooks/providers/prometheus/wire/prometheus-wire.ts';
import type { ProviderAsk } from '#hooks/providers/provider.ts';
import { prometheusProvider } from '#hooks/providers/prometheus/prometheus.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import { systemClock } from '#edge/clock.ts';
import { createOutgoing, type ClosableOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { startPrometheus, type Prometheus } from '../support/prometheus.ts';

const metrics = `# TYPE boathook_age gauge
boathook_age{pod="a"} 32
boathook_age{pod="b"} 45
`;

let server: Prometheus;
let outgoing: ClosableOutgoing;
let ask: ProviderAsk<PrometheusProvider>;
beforeAll(async () => {
  server = await startPrometheus(metrics);
  outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  ask = prometheusProvider({
    outgoing,
    clock: systemClock,
    readSecret: () => Promise.resolve({ type: 'missing', message: 'there are no secrets here' }),
  });
});
afterAll(async () => {
  await outgoing.close();
  await server[Symbol.asyncDispose]();
});

function read(
  prometheus: Omit<PrometheusProvider, 'address'> & { readonly address?: string },
  args: Readonly<Record<string, string>> = {},
): Promise<ProviderReading> {
  const spec = { address: server.address, ...prometheus };
  const question = {
    spec,
    namespace: 'default',
    run: { name: 'run', uid: 'uid' },
    serviceAccount: 'default',
    metric: { name: 'ages', provider: { prometheus: spec } },
    args: new Map(Object.entries(args)),
    attempt: 1,
  };
  return ask(question, new AbortController().signal);
}

test.for<[query: string, result: unknown, value: string]>([
  ['scalar(boathook_age{pod="a"})', 32, '32'],
  ['1 / 4', 0.25, '0.25'],
  ['1 / 0', Infinity, '+Inf'],
  ['-1 / 0', -Infinity, '-Inf'],
  ['sort(boathook_age)', [32, 45], '[32,45]'],
  ['boathook_age > 40', [45], '[45]'],
  ['1e10 * vector(1)', [1e10], '[10000000000]'],
  ['max_over_time(boathook_age{pod="b"}[1m])', [45], '[45]'],
])('%s is a value', async ([query, result, value]) => {
  const reading = await read({ query });
  expect(reading).toMatchObject({ type: 'value', result, value });
  expect(reading.evidence).toMatchObject({
    request: `${server.address}api/v1/query ${query}`,
    status: 200,
    body: expect.stringContaining('"status":"success"'),
  });
});

test.for(['0 / 0', 'vector(0) / 0', 'boathook_age * NaN'])('%s is NaN, so inconclusive', async (query) => {
  const reading = await read({ query });
  expect(reading).toMatchObject({
    type: 'verdict',
    phase: 'Inconclusive',
    message: expect.stringContaining('NaN'),
  });
  expect(reading).toMatchObject({ value: expect.stringMatching(/^(NaN|\[NaN(,NaN)?\])$/) });
});

test('a vector without samples is no data', async () => {
  expect(await read({ query: 'no_such_metric' })).toMatchObject({
    type: 'no-data',
    why: 'the query has no result',
    evidence: { status: 200 },
  });
  expect(await read({ query: 'boathook_age > 100' })).toMatchObject({ type: 'no-data' });
});

test.for<[query: string, says: RegExp]>([
  ['sum(', /refused the query \(bad_data\): .*parse error/],
  ['"a text"', /answered with a string where numbers are needed/],
  ['boathook_age[1m]', /answered with a matrix where numbers are needed: use a function/],
])('%s is an error', async ([query, says]) => {
  expect(await read({ query })).toMatchObject({ type: 'error', message: expect.stringMatching(says) });
});

test('a range is the list of its points, series after series', async () => {
  const reading = await read({ query: 'vector(7)', range: { last: '10s', step: '5s' } });
  expect(reading).toMatchObject({ type: 'value', result: [7, 7, 7], value: '[7,7,7]' });
  expect(reading.evidence.request).toContain('/api/v1/query_range vector(7)');
  const none = await read({ query: 'no_such_metric', range: { last: '1m', step: '10s' } });
  expect(none).toMatchObject({ type: 'no-data' });
  const tooFine = await read({ query: 'vector(7)', range: { last: '24h', step: '1s' } });
  expect(tooFine).toMatchObject({
    type: 'error',
    message: expect.stringContaining('exceeded maximum resolution'),
  });
});

test('arguments are filled into the query and the address', async () => {
  const args = { pod: 'b', where: server.address.replace(/^http:\/\//, '').replace(/\/prom\/$/, '') };
  const address = 'http://{{ args.where }}/prom';
  expect(await read({ query: 'boathook_age{pod="{{ args.pod }}"}', address }, args)).toMatchObject({
    type: 'value',
    result: [45],
  });
  expect(await read({ query: '{{ args.none }}' })).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/^query: .*args\.none/),
  });
});

test('a query that is too long for an address is posted', async () => {
  const query = Array.from({ length: 2000 }, () => '1').join(' + ');
  expect(await read({ query })).toMatchObject({ type: 'value', result: 2000 });
});

test('an address that is not that of Prometheus is reported as such', async () => {
  expect(await read({ query: 'up', address: server.origin })).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/answered 404.*is this the address of Prometheus/),
  });
});
