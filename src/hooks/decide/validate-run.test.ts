import { expect, test } from 'vitest';
import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { webMetric } from './testing/play.ts';
import { problemOfRun } from './validate-run.ts';

const one = (fields: Partial<Metric>): HookRunSpec => ({ metrics: [webMetric(fields)] });
const web = (fields: object): HookRunSpec =>
  one({ provider: { web: { url: 'http://1.1.1.1:9091', ...fields } } });

/** In the order in which problems are reported. */
const rows: readonly (readonly [name: string, spec: HookRunSpec, problem: string])[] = [
  ['1 no metrics', {}, 'spec.metrics: no metrics'],
  ['1 an empty list', { metrics: [] }, 'spec.metrics: no metrics'],
  [
    'more metrics than a status can tell of',
    { metrics: Array.from({ length: 201 }, (_, i) => webMetric({ name: `m${i}` })) },
    'spec.metrics: 201 metrics are more than the 200',
  ],
  [
    '2 a name twice',
    { metrics: [webMetric(), webMetric({ name: 'b' }), webMetric()] },
    'spec.metrics[2].name: there is a metric "webtest"',
  ],
  [
    '3 count below failureLimit',
    one({ count: 1, failureLimit: 2 }),
    'count (1) must not be less than failureLimit (2)',
  ],
  ['3 count below successfulLimit', one({ count: 1, successfulLimit: 2 }), 'less than successfulLimit (2)'],
  [
    '4 count below inconclusiveLimit',
    one({ count: 1, inconclusiveLimit: 2 }),
    'less than inconclusiveLimit (2)',
  ],
  ['5 count without interval', one({ count: 2 }), 'spec.metrics[0].interval: a count of 2 needs an interval'],
  ['5 an interval of zero', one({ count: 2, interval: '0s' }), 'the interval must be at least 1ms'],
  [
    '6 an interval that is none',
    one({ interval: 'soon' }),
    'spec.metrics[0].interval: "soon" is not a duration',
  ],
  ['7 an initialDelay that is none', one({ initialDelay: '5 s' }), 'spec.metrics[0].initialDelay: "5 s"'],
  ['8 a negative failureLimit', one({ failureLimit: -1 }), 'failureLimit must not be negative'],
  ['8 a negative successfulLimit', one({ successfulLimit: -1 }), 'successfulLimit must not be negative'],
  [
    '8 a negative inconclusiveLimit',
    one({ inconclusiveLimit: -1 }),
    'inconclusiveLimit must not be negative',
  ],
  [
    '8 a negative consecutiveErrorLimit',
    one({ consecutiveErrorLimit: -1 }),
    'consecutiveErrorLimit must not be negative',
  ],
  ['9 consecutiveSuccessfulLimit 0', one({ consecutiveSuccessfulLimit: 0 }), 'must be at least 1'],
  ['10 no provider', one({ provider: {} }), 'spec.metrics[0].provider: no provider'],
  [
    '11 two providers',
    one({ provider: { web: { url: 'http://a' }, prometheus: { address: 'http://a', query: 'up' } } }),
    'more than one provider (web, prometheus)',
  ],
  [
    'a provider that a newer version wrote',
    one({ provider: { grpc: { address: 'a' } } as Metric['provider'] }),
    'spec.metrics[0].provider: this version does not support the provider grpc: update the controller',
  ],
  [
    'a provider that a newer version wrote beside a known one',
    one({ provider: { web: { url: 'http://a' }, grpc: {} } as Metric['provider'] }),
    'this version does not support the provider grpc',
  ],
  [
    'a function of kubernetes that a newer version wrote',
    one({ provider: { kubernetes: { function: 'delete', fields: [] } as never } }),
    'spec.metrics[0].provider.kubernetes.function: this version does not support the function delete',
  ],
  [
    'a condition that does not parse',
    one({ successCondition: 'asInt(result' }),
    'spec.metrics[0].successCondition: ',
  ],
  [
    'a condition of the wrong type',
    one({ failureCondition: 'result > 10' }),
    'spec.metrics[0].failureCondition: ',
  ],
  ['a path that is none', web({ jsonPath: '{.a' }), 'spec.metrics[0].provider.web.jsonPath: unclosed action'],
  ['an address that is none', one({ provider: { web: { url: 'ftp://a' } } }), 'is not a URL'],
  ['two bodies', web({ body: 'a', jsonBody: 1 }), 'both a body and a jsonBody'],
  [
    'a placeholder without an argument',
    web({ body: '{{ args.x }}' }),
    'spec.metrics[0].provider.web.body: {{ args.x }} names no argument',
  ],
  [
    'a placeholder without an end',
    web({ jsonBody: { a: ['{{ args'] } }),
    'provider.web.jsonBody.a[0]: "{{ args" has no end',
  ],
  [
    'an argument without a value',
    { ...one({}), args: [{ name: 'a' }] },
    'spec.args: the argument a has no value',
  ],
];

test.for(rows)('%s', ([, spec, problem]) => {
  expect(problemOfRun(spec)).toContain(problem);
});

test.for<readonly [string, HookRunSpec]>([
  ['the run of the seed', one({ successCondition: 'asInt(result) < 30' })],
  ['a negative count', one({ count: -1 })],
  [
    'prometheus alone',
    one({
      provider: { prometheus: { address: 'http://a', query: 'up' } },
      successCondition: 'result[0] > 0.5',
    }),
  ],
  ['a filled placeholder', { ...web({ body: '{{ args.x }}' }), args: [{ name: 'x', value: '' }] }],
  [
    'a whole address as an argument',
    { ...one({ provider: { web: { url: '{{ args.x }}/a' } } }), args: [{ name: 'x', value: 'http://h' }] },
  ],
])('%s can be carried out', ([, spec]) => {
  expect(problemOfRun(spec)).toBeUndefined();
});
