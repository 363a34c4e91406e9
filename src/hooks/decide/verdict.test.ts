import { expect, test } from 'vitest';
import type { HookRunSpec, HookRunStatus } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { formatMicroTime, formatTime, instant, later, millis, type Instant } from '#base/time.ts';
import type { ProviderReading } from './reading.ts';
import { inTurn, play, readings, start, value, webMetric, type Pace } from './testing/play.ts';
import { absorb, beginRun, dueCalls, nextWake } from './verdict.ts';

const idle: ReadonlySet<string> = new Set();
const ms = (count: number): Instant => later(start, millis(count));
const one = (fields: Partial<Metric> = {}): HookRunSpec => ({ metrics: [webMetric(fields)] });
const two = (
  first: Partial<Metric>,
  second: Partial<Metric>,
  rest: Partial<HookRunSpec> = {},
): HookRunSpec => ({
  metrics: [webMetric({ name: 'first', ...first }), webMetric({ name: 'second', ...second })],
  ...rest,
});
const call = (metric: string, plannedAt: Instant, letter: string, plannedFrom = start) => ({
  metric,
  plannedAt,
  plannedFrom,
  startedAt: plannedAt,
  finishedAt: later(plannedAt, millis(20)),
  reading: readings[letter] ?? value('?'),
});

test("the seed's run: age 32, called once, fails at once", () => {
  const spec = one({ successCondition: 'asInt(result) < 30' });
  const { status } = play(spec, () => value('32'));
  expect(status).toMatchObject({
    phase: 'Failed',
    startedAt: '2020-11-09T10:08:49Z',
    metricResults: [
      {
        name: 'webtest',
        phase: 'Failed',
        count: 1,
        failed: 1,
        measurements: [
          {
            phase: 'Failed',
            value: '32',
            startedAt: '2020-11-09T10:08:49Z',
            finishedAt: '2020-11-09T10:08:49Z',
          },
        ],
      },
    ],
  });
  expect(status.message).toContain('asInt(result) < 30');
  expect(status.conditions).toMatchObject([
    { type: 'Complete', status: 'True', reason: 'Failed' },
    { type: 'Failed', status: 'True' },
  ]);
});

type Row = {
  readonly name: string;
  readonly metric: Partial<Metric>;
  /** One letter per call: Successful, Failed, Inconclusive, Error, No data; the last for good. */
  readonly answers: string;
  readonly pace?: Pace;
  readonly phase: string;
  readonly planned: readonly number[];
  readonly counters?: object;
};

const s = (count: number): number => count * 1000;

/** Counting calls, and bugs of the original controller that are not repeated. */
const rows: readonly Row[] = [
  {
    name: 'neither count nor interval: one call',
    metric: {},
    answers: 'S',
    phase: 'Successful',
    planned: [0],
    counters: { count: 1, successful: 1 },
  },
  {
    name: 'count 2 at 60 s',
    metric: { count: 2, interval: '60s' },
    answers: 'S',
    phase: 'Successful',
    planned: [0, s(60)],
    counters: { count: 2, successful: 2, consecutiveSuccessful: 2 },
  },
  {
    name: 'the first failure ends it (failureLimit 0)',
    metric: { count: 2, interval: '60s', failureLimit: 0 },
    answers: 'FS',
    phase: 'Failed',
    planned: [0],
    counters: { count: 1, failed: 1 },
  },
  {
    name: 'all failed is never Successful',
    metric: { count: 3, interval: '1s', failureLimit: 2 },
    answers: 'F',
    phase: 'Failed',
    planned: [0, s(1), s(2)],
  },
  {
    name: 'all in error is never Successful',
    metric: { count: 3, interval: '1s' },
    answers: 'E',
    phase: 'Error',
    planned: [0, s(1), s(2), s(3), s(4)],
    counters: { error: 5, consecutiveError: 5 },
  },
  {
    name: 'an error does not count and is retried 10 s after its end',
    metric: {},
    answers: 'ES',
    phase: 'Successful',
    planned: [0, 10_020],
    counters: { count: 1, error: 1, successful: 1 },
  },
  {
    name: 'five errors in a row end a metric without an interval',
    metric: {},
    answers: 'E',
    phase: 'Error',
    planned: [0, 10_020, 20_040, 30_060, 40_080],
    counters: { error: 5 },
  },
  {
    name: 'a pass between errors resets the count',
    metric: { count: 2, interval: '1s', consecutiveErrorLimit: 1 },
    answers: 'ESES',
    phase: 'Successful',
    planned: [0, s(1), s(2), s(3)],
    counters: { count: 2, error: 2, consecutiveSuccessful: 1 },
  },
  {
    name: 'an interval that passed while the call was running is skipped',
    metric: { count: 3, interval: '1s' },
    answers: 'S',
    pace: { took: 1100 },
    phase: 'Successful',
    planned: [0, s(2), s(4)],
  },
  {
    name: 'a call that ends just as the next is due skips nothing',
    metric: { count: 3, interval: '1s' },
    answers: 'S',
    pace: { took: 1000 },
    phase: 'Successful',
    planned: [0, s(1), s(2)],
  },
  {
    name: 'intervals below a second',
    metric: { count: 4, interval: '250ms' },
    answers: 'S',
    phase: 'Successful',
    planned: [0, 250, 500, 750],
  },
  {
    name: 'an interval only: endless',
    metric: { interval: '10s' },
    answers: 'S',
    pace: { until: 35_000 },
    phase: 'Running',
    planned: [0, s(10), s(20), s(30)],
  },
  {
    name: 'initialDelay',
    metric: { initialDelay: '5s', count: 2, interval: '1s' },
    answers: 'S',
    phase: 'Successful',
    planned: [s(5), s(6)],
  },
  {
    name: 'an interval of zero is none',
    metric: { interval: '0s' },
    answers: 'S',
    phase: 'Successful',
    planned: [0],
  },
  {
    name: 'successfulLimit',
    metric: { interval: '1s', failureLimit: 9, successfulLimit: 2 },
    answers: 'FSFS',
    phase: 'Successful',
    planned: [0, s(1), s(2), s(3)],
  },
  {
    name: 'consecutiveSuccessfulLimit',
    metric: { interval: '1s', failureLimit: 9, consecutiveSuccessfulLimit: 2 },
    answers: 'SFSS',
    phase: 'Successful',
    planned: [0, s(1), s(2), s(3)],
  },
  {
    name: 'inconclusiveLimit',
    metric: { interval: '1s', inconclusiveLimit: 1 },
    answers: 'ISI',
    phase: 'Inconclusive',
    planned: [0, s(1), s(2)],
    counters: { count: 3, inconclusive: 2 },
  },
  {
    name: 'no data is an error',
    metric: { consecutiveErrorLimit: 0 },
    answers: 'N',
    phase: 'Error',
    planned: [0],
    counters: { error: 1 },
  },
  { name: 'noData: Fail', metric: { noData: 'Fail' }, answers: 'N', phase: 'Failed', planned: [0] },
  { name: 'noData: Pass', metric: { noData: 'Pass' }, answers: 'N', phase: 'Successful', planned: [0] },
  {
    name: 'noData: Inconclusive',
    metric: { noData: 'Inconclusive' },
    answers: 'N',
    phase: 'Inconclusive',
    planned: [0],
  },
  {
    name: 'noData: Wait calls again and counts nothing',
    metric: { noData: 'Wait' },
    answers: 'NNS',
    phase: 'Successful',
    planned: [0, 10_020, 20_040],
    counters: { count: 1, successful: 1 },
  },
  {
    name: 'noData: Wait on the grid',
    metric: { noData: 'Wait', count: 1, interval: '1s' },
    answers: 'NNS',
    phase: 'Successful',
    planned: [0, s(1), s(2)],
  },
  {
    name: 'noData: Wait has a budget',
    metric: { noData: 'Wait', noDataWait: '2s', interval: '1s', consecutiveErrorLimit: 0 },
    answers: 'N',
    phase: 'Error',
    planned: [0, s(1), s(2)],
  },
  {
    name: 'noData: Wait waits once in all, whatever errors lie between',
    metric: { noData: 'Wait', noDataWait: '2s', interval: '1s', consecutiveErrorLimit: 2 },
    answers: 'NENNN',
    phase: 'Error',
    planned: [0, s(1), s(2), s(3), s(4)].slice(0, 4),
    counters: { error: 3 },
  },
  {
    name: 'noData: Wait starts again after data',
    metric: { noData: 'Wait', noDataWait: '2s', interval: '1s', count: 2, consecutiveErrorLimit: 0 },
    answers: 'NSNNS',
    phase: 'Successful',
    planned: [0, s(1), s(2), s(3), s(4)],
  },
  {
    name: 'noData: Wait waits five minutes by default',
    metric: { noData: 'Wait', interval: '1m', consecutiveErrorLimit: 0 },
    answers: 'N',
    phase: 'Error',
    planned: [0, 60_000, 120_000, 180_000, 240_000, 300_000],
  },
];

test.for(rows)('$name', ({ metric, answers, pace, phase, planned, counters }) => {
  const played = play(one(metric), inTurn(answers), pace);
  expect(played.planned).toEqual(planned);
  expect(played.status.phase).toBe(phase);
  expect(played.result).toMatchObject({ phase, ...counters });
});

test('sixty calls at one second end planned at the start + 59.000 s, whatever a call takes', () => {
  for (const took of [0, 50, 200, 999]) {
    const { planned, result } = play(one({ count: 60, interval: '1s' }), inTurn('S'), { took });
    expect(planned).toHaveLength(60);
    expect(planned.at(-1)).toBe(59_000);
    expect(result.measurements?.at(-1)?.plannedAt).toBe('2020-11-09T10:09:48.250000Z');
  }
});

test('a late wake-up is not carried over', () => {
  const spec = one({ count: 9, interval: '1s' });
  const begun = beginRun(spec, start);
  const first = absorb({ spec, status: begun }, [call('webtest', start, 'S')], ms(20));
  // Nobody looked for ten seconds: one call is made at once, and the next on the grid again.
  const [due] = dueCalls({ spec, status: first }, ms(10_400), idle);
  expect(due).toMatchObject({ plannedAt: ms(1000), attempt: 1 });
  const late = { ...call('webtest', ms(1000), 'S'), startedAt: ms(10_400), finishedAt: ms(10_420) };
  const status = absorb({ spec, status: first }, [late], ms(10_420));
  expect(nextWake({ spec, status }, idle)).toBe(ms(11_000));
  expect(dueCalls({ spec, status }, ms(10_999), idle)).toEqual([]);
  expect(dueCalls({ spec, status }, ms(11_000), idle)).toMatchObject([{ attempt: 11 }]);
});

test('a call is not counted twice', () => {
  const spec = one({ count: 5, interval: '1s' });
  const status = absorb({ spec, status: beginRun(spec, start) }, [call('webtest', start, 'S')], ms(20));
  const again = absorb({ spec, status }, [call('webtest', start, 'F')], ms(40));
  expect(again.metricResults).toEqual(status.metricResults);
});

test('a call of another plan than that in the status is not counted, and made again there', () => {
  const spec = one({ count: 5, interval: '2s' });
  const planned = beginRun(spec, start);
  const counted = absorb({ spec, status: planned }, [call('webtest', start, 'S')], ms(20));
  // A process that saw no status began the run anew, with the same idempotency keys.
  const others = [call('webtest', ms(1000), 'S', ms(1000)), call('webtest', ms(3000), 'S', ms(1000))];
  for (const status of [planned, counted]) {
    const after = absorb({ spec, status }, others, ms(3100));
    expect(after).toEqual({ ...status, phase: 'Running' });
  }
  expect(dueCalls({ spec, status: counted }, ms(3100), idle)).toMatchObject([
    { plannedAt: ms(2000), plannedFrom: start, attempt: 1 },
  ]);
});

test('a metric with a call in flight is not called again', () => {
  const spec = two({}, {});
  const run = { spec, status: beginRun(spec, start) };
  expect(dueCalls(run, start, new Set(['first'])).map(({ metric }) => metric.name)).toEqual(['second']);
  expect(nextWake(run, new Set(['first', 'second']))).toBeUndefined();
});

test('a run begins with the planned start of its first calls, to the microsecond', () => {
  expect(beginRun(two({}, { initialDelay: '1500ms' }), start)).toMatchObject({
    phase: 'Running',
    startedAt: '2020-11-09T10:08:49Z',
    summary: 'first Pending 0/1, second Pending 0/1',
    metricResults: [
      { name: 'first', phase: 'Pending', plannedFrom: '2020-11-09T10:08:49.250000Z' },
      { name: 'second', phase: 'Pending', plannedFrom: '2020-11-09T10:08:50.750000Z' },
    ],
  });
});

test('Ordered calls one metric after the other', () => {
  const spec = two({ count: 2, interval: '1s' }, { initialDelay: '500ms' }, { policy: 'Ordered' });
  const asked: string[] = [];
  const played = play(spec, ({ metric }) => {
    asked.push(metric);
    return readings['S'] ?? value('');
  });
  expect(asked).toEqual(['first', 'first', 'second']);
  expect(played.planned).toEqual([0, 1000, 1020]);
  expect(played.status.phase).toBe('Successful');
});

test('Ordered: the delay of a later metric counts from the start of the run', () => {
  const played = play(two({}, { initialDelay: '5s' }, { policy: 'Ordered' }), inTurn('S'));
  expect(played.planned).toEqual([0, 5000]);
});

/** The verdict over all metrics. */
const endings: readonly {
  readonly name: string;
  readonly spec: HookRunSpec;
  readonly answers: Readonly<Record<string, string>>;
  readonly phase: string;
  readonly metrics: readonly (string | undefined)[];
}[] = [
  {
    name: 'Ordered: metrics after a failure are skipped',
    spec: two({}, {}, { policy: 'Ordered' }),
    answers: { first: 'F' },
    phase: 'Failed',
    metrics: ['Failed'],
  },
  {
    name: 'Ordered: after an Error too',
    spec: two({ consecutiveErrorLimit: 0 }, {}, { policy: 'Ordered' }),
    answers: { first: 'E' },
    phase: 'Error',
    metrics: ['Error'],
  },
  {
    name: 'Ordered: after Inconclusive too',
    spec: two({}, {}, { policy: 'Ordered' }),
    answers: { first: 'I' },
    phase: 'Inconclusive',
    metrics: ['Inconclusive'],
  },
  {
    name: 'Parallel: a failure while the other has not begun',
    spec: two({}, { initialDelay: '1h' }),
    answers: { first: 'F' },
    phase: 'Failed',
    metrics: ['Failed', 'Successful'],
  },
  {
    name: 'a failure ends what is undecided',
    spec: two({ count: 3, interval: '1s', failureLimit: 0 }, { interval: '1s' }),
    answers: { first: 'SF', second: 'S' },
    phase: 'Failed',
    metrics: ['Failed', 'Successful'],
  },
  {
    name: 'the worst counts',
    spec: two({}, {}),
    answers: { first: 'I', second: 'F' },
    phase: 'Failed',
    metrics: ['Inconclusive', 'Failed'],
  },
  {
    name: 'all well',
    spec: two({}, {}),
    answers: { first: 'S', second: 'S' },
    phase: 'Successful',
    metrics: ['Successful', 'Successful'],
  },
  {
    name: 'a metric in its initial delay keeps the run open',
    spec: two({}, { initialDelay: '10s' }),
    answers: { first: 'S', second: 'F' },
    phase: 'Failed',
    metrics: ['Successful', 'Failed'],
  },
  {
    name: 'terminate before the first call',
    spec: { ...one(), terminate: true },
    answers: {},
    phase: 'Successful',
    metrics: [],
  },
];

test.for(endings)('$name', ({ spec, answers, phase, metrics }) => {
  const { status } = play(spec, ({ metric, n }) => inTurn(answers[metric] ?? 'S')({ metric, n }));
  expect(status.phase).toBe(phase);
  expect((status.metricResults ?? []).map((result) => result.phase)).toEqual(metrics);
  expect(status.finishedAt).toBeDefined();
});

/** A run after a few calls, which is then terminated. */
const terminations = [
  { name: 'nothing measured', letters: '', phase: 'Successful' },
  { name: 'undecided', letters: 'S', phase: 'Successful' },
  { name: 'undecided with errors', letters: 'EE', phase: 'Successful' },
  { name: 'tolerated failures', letters: 'F', phase: 'Successful' },
  { name: 'too many failures stay what they are', letters: 'FFF', phase: 'Failed' },
];

test.for(terminations)('terminate: $name is $phase', ({ letters, phase }) => {
  const spec = one({ interval: '1s', failureLimit: 2 });
  let status = beginRun(spec, start);
  for (const [i, letter] of Array.from(letters).entries())
    status = absorb({ spec, status }, [call('webtest', ms(i * 1000), letter)], ms(i * 1000 + 20));
  const ended = absorb({ spec: { ...spec, terminate: true }, status }, [], ms(9000));
  expect(ended.phase).toBe(phase);
  expect(dueCalls({ spec: { ...spec, terminate: true }, status }, ms(9000), idle)).toEqual([]);
});

/** A run that is stopped with a verdict does not open what waits for it. */
const stops = [
  { name: 'nothing measured', letters: '', verdict: 'Failed', phase: 'Failed' },
  { name: 'undecided', letters: 'S', verdict: 'Failed', phase: 'Failed' },
  { name: 'undecided', letters: 'SF', verdict: 'Inconclusive', phase: 'Inconclusive' },
  { name: 'undecided', letters: 'F', verdict: 'Successful', phase: 'Successful' },
  { name: 'too many failures stay what they are', letters: 'FFF', verdict: 'Inconclusive', phase: 'Failed' },
] as const;

test.for(stops)('terminateVerdict $verdict: $name is $phase', ({ letters, verdict, phase }) => {
  const spec = one({ interval: '1s', failureLimit: 2 });
  let status = beginRun(spec, start);
  for (const [i, letter] of Array.from(letters).entries())
    status = absorb({ spec, status }, [call('webtest', ms(i * 1000), letter)], ms(i * 1000 + 20));
  const stopped = { ...spec, terminate: true, terminateVerdict: verdict };
  const ended = absorb({ spec: stopped, status }, [], ms(9000));
  expect([ended.phase, ended.metricResults?.[0]?.phase]).toEqual([phase, phase]);
  if (letters !== 'FFF' && verdict !== 'Successful')
    expect(ended.message).toContain(
      `the run ended${letters === '' ? ' before' : ''} with the verdict ${verdict}`,
    );
});

test('terminateVerdict counts also when the metrics called so far are Successful', () => {
  const spec = two({}, {}, { policy: 'Ordered' });
  const status = absorb({ spec, status: beginRun(spec, start) }, [call('first', start, 'S')], ms(20));
  const stopped = { ...spec, terminate: true, terminateVerdict: 'Failed' } as const;
  expect(absorb({ spec: stopped, status }, [], ms(40))).toMatchObject({ phase: 'Failed' });
  const unasked = absorb({ spec: stopped, status: { phase: 'Running' } }, [], ms(40));
  expect(unasked).toMatchObject({ phase: 'Failed', message: 'the run was stopped with the verdict Failed' });
});

test('terminateVerdict alone stops nothing', () => {
  const spec = { ...one({ interval: '1s' }), terminateVerdict: 'Failed' } as const;
  const status = absorb({ spec, status: beginRun(spec, start) }, [call('webtest', start, 'S')], ms(20));
  expect(status.phase).toBe('Running');
});

test('what comes back together is counted together, and then a failure ends the rest', () => {
  const spec = two({}, { interval: '1s' });
  const status = absorb(
    { spec, status: beginRun(spec, start) },
    [call('first', start, 'F'), call('second', start, 'S')],
    ms(20),
  );
  expect(status).toMatchObject({
    phase: 'Failed',
    metricResults: [{ failed: 1 }, { phase: 'Successful', count: 1, successful: 1 }],
  });
});

test('a finished run is never touched again', () => {
  const spec = one();
  const status = absorb({ spec, status: beginRun(spec, start) }, [call('webtest', start, 'F')], ms(20));
  expect(
    absorb({ spec: { ...spec, terminate: true }, status }, [call('webtest', ms(500), 'S')], ms(600)),
  ).toBe(status);
  expect(nextWake({ spec, status }, idle)).toBeUndefined();
});

test('the newest ten measurements are kept, counters are not affected', () => {
  const { result } = play(one({ count: 25, interval: '1s' }), inTurn('S'));
  expect(result.count).toBe(25);
  expect(result.measurements).toHaveLength(10);
  expect(result.measurements?.[0]?.plannedAt).toBe(formatMicroTime(ms(15_000)));
});

test('retention can be set, and results of metrics that are gone are left alone', () => {
  const spec: HookRunSpec = { ...one({ count: 9, interval: '1s' }), measurementRetention: 2 };
  const stranger = {
    name: 'gone',
    phase: 'Successful' as const,
    measurements: Array.from({ length: 12 }, () => ({ value: '1' })),
  };
  const status: HookRunStatus = { ...beginRun(spec, start), metricResults: [stranger] };
  let now = status;
  for (let i = 0; i < 4; i += 1)
    now = absorb({ spec, status: now }, [call('webtest', ms(i * 1000), 'S')], ms(i * 1000 + 20));
  expect(now.metricResults?.[0]?.measurements).toHaveLength(2);
  expect(now.metricResults?.[1]).toEqual(stranger);
});

/** calculateNextReconcileTime of the original controller, for a status that it wrote: whole seconds, no planned times. */
const ended = formatTime(instant(start - 250));
const foreign: readonly {
  readonly name: string;
  readonly metric: Partial<Metric>;
  readonly status: HookRunStatus;
  readonly wake: number | undefined;
}[] = [
  { name: 'never started', metric: {}, status: {}, wake: undefined },
  {
    name: 'complete',
    metric: {},
    status: { startedAt: ended, metricResults: [{ name: 'webtest', phase: 'Successful' }] },
    wake: undefined,
  },
  { name: 'initialDelay 1s', metric: { initialDelay: '1s' }, status: { startedAt: ended }, wake: 1000 },
  {
    name: 'resumeAt of an unfinished call',
    metric: {},
    status: {
      startedAt: ended,
      metricResults: [
        { name: 'webtest', phase: 'Running', measurements: [{ resumeAt: '2020-11-09T10:09:00Z' }] },
      ],
    },
    wake: 11_000,
  },
  {
    name: 'count reached',
    metric: { count: 1, interval: '1s' },
    status: {
      startedAt: ended,
      metricResults: [
        {
          name: 'webtest',
          phase: 'Running',
          count: 1,
          measurements: [{ phase: 'Successful', finishedAt: ended }],
        },
      ],
    },
    wake: undefined,
  },
  {
    name: 'interval 30s',
    metric: { interval: '30s' },
    status: {
      startedAt: ended,
      metricResults: [
        {
          name: 'webtest',
          phase: 'Running',
          count: 1,
          measurements: [{ phase: 'Successful', finishedAt: ended }],
        },
      ],
    },
    wake: 30_000,
  },
  {
    name: 'no interval, well',
    metric: { count: 2 },
    status: {
      startedAt: ended,
      metricResults: [
        {
          name: 'webtest',
          phase: 'Running',
          count: 1,
          measurements: [{ phase: 'Successful', finishedAt: ended }],
        },
      ],
    },
    wake: undefined,
  },
  {
    name: 'no interval, Error',
    metric: {},
    status: {
      startedAt: ended,
      metricResults: [
        {
          name: 'webtest',
          phase: 'Running',
          error: 1,
          measurements: [{ phase: 'Error', finishedAt: ended }],
        },
      ],
    },
    wake: 10_000,
  },
];

/** generateMetricTasks of the original controller: which of two metrics is called at `start`. */
const measuredAt = (name: string, at: string, phase: 'Running' | 'Failed' | 'Successful' = 'Running') => ({
  name,
  phase,
  count: 1,
  measurements: [{ phase: 'Successful' as const, finishedAt: at }],
});
const longAgo = '2020-11-09T09:00:00Z';
const tasks: readonly {
  readonly name: string;
  readonly spec: HookRunSpec;
  readonly status: HookRunStatus;
  readonly asked: readonly string[];
}[] = [
  { name: 'nothing before the run has begun', spec: two({}, {}), status: {}, asked: [] },
  { name: 'all at first', spec: two({}, {}), status: { startedAt: longAgo }, asked: ['first', 'second'] },
  {
    name: 'nothing with terminate',
    spec: two({}, {}, { terminate: true }),
    status: { startedAt: longAgo },
    asked: [],
  },
  {
    name: 'nothing once one has failed',
    spec: two({}, {}),
    status: { startedAt: longAgo, metricResults: [measuredAt('first', longAgo, 'Failed')] },
    asked: [],
  },
  {
    name: 'not what is complete',
    spec: two({}, {}),
    status: { startedAt: longAgo, metricResults: [measuredAt('first', longAgo, 'Successful')] },
    asked: ['second'],
  },
  {
    name: 'not before it resumes',
    spec: two({ interval: '1s' }, {}),
    status: {
      startedAt: longAgo,
      metricResults: [{ name: 'first', measurements: [{ resumeAt: '2020-11-09T11:00:00Z' }] }],
    },
    asked: ['second'],
  },
  {
    name: 'not within its initialDelay',
    spec: two({ initialDelay: '10h' }, {}),
    status: { startedAt: longAgo },
    asked: ['second'],
  },
  {
    name: 'not with an initialDelay that is none',
    spec: two({ initialDelay: 'soon' }, {}),
    status: { startedAt: longAgo },
    asked: ['second'],
  },
  {
    name: 'not with an interval that is none',
    spec: two({ interval: 'soon' }, {}),
    status: { startedAt: longAgo },
    asked: ['second'],
  },
  {
    name: 'what is overdue',
    spec: two({ interval: '1m' }, { interval: '10h' }),
    status: {
      startedAt: longAgo,
      metricResults: [measuredAt('first', longAgo), measuredAt('second', longAgo)],
    },
    asked: ['first'],
  },
  {
    name: 'Ordered: the first',
    spec: two({}, {}, { policy: 'Ordered' }),
    status: { startedAt: longAgo },
    asked: ['first'],
  },
  {
    name: 'Ordered: the first that is not complete',
    spec: two({}, {}, { policy: 'Ordered' }),
    status: { startedAt: longAgo, metricResults: [measuredAt('first', longAgo, 'Successful')] },
    asked: ['second'],
  },
  {
    name: 'Ordered: none while the first waits',
    spec: two({ interval: '10h' }, {}, { policy: 'Ordered' }),
    status: { startedAt: longAgo, metricResults: [measuredAt('first', longAgo)] },
    asked: [],
  },
];

test.for(tasks)('asked now: $name', ({ spec, status, asked }) => {
  expect(dueCalls({ spec, status }, start, idle).map(({ metric }) => metric.name)).toEqual(asked);
});

test.for(foreign)('next wake-up: $name', ({ metric, status, wake }) => {
  const found = nextWake({ spec: one(metric), status }, idle);
  expect(found).toBe(wake === undefined ? undefined : start - 250 + wake);
});

test('a call without an end is ended as a success when its run ends', () => {
  const spec = { ...one({ interval: '1s' }), terminate: true };
  const open = {
    name: 'webtest',
    phase: 'Running' as const,
    measurements: [{ phase: 'Running' as const, startedAt: ended }],
  };
  const status = absorb(
    { spec, status: { phase: 'Running', startedAt: ended, metricResults: [open] } },
    [],
    ms(0),
  );
  expect(status.metricResults?.[0]).toMatchObject({
    phase: 'Successful',
    count: 1,
    successful: 1,
    measurements: [{ phase: 'Successful', message: 'ended without a reply when the run ended' }],
  });
});

test('a Running result that is decided by its last call is assessed again', () => {
  const spec = two({}, {});
  const decided = (name: string, failed: number) => ({
    name,
    phase: 'Running' as const,
    count: 1,
    failed,
    measurements: [{ finishedAt: ended }],
  });
  const status: HookRunStatus = {
    phase: 'Running',
    startedAt: ended,
    metricResults: [decided('first', 1), decided('second', 0)],
  };
  expect(absorb({ spec, status }, [], ms(0)).phase).toBe('Failed');
});

test('an expression that fails has its error in the measurement, which keeps its value', () => {
  const { result } = play(one({ successCondition: 'asInt(result) < 30', consecutiveErrorLimit: 0 }), () =>
    value('abc'),
  );
  const [measurement] = result.measurements ?? [];
  expect(measurement).toMatchObject({ phase: 'Error', value: 'abc' });
  expect(measurement?.message).toMatch(/^successCondition: .*abc.*\(1:1\)/);
  expect(result.message).toContain('did not work once in a row, tolerated 0');
});

/** What an empty vector of Prometheus comes to. */
const emptyAnswers: readonly (readonly [metric: Partial<Metric>, phase: string, message?: string])[] = [
  [{ successCondition: 'len(result) == 0' }, 'Successful'],
  [{ successCondition: 'len(result) == 0 || result[0] < 1' }, 'Successful'],
  [{ successCondition: 'len(result) > 0 && result[0] < 1' }, 'Failed'],
  [{ failureCondition: 'len(result) == 0' }, 'Failed'],
  [{ successCondition: 'result[0] < 1', consecutiveErrorLimit: 0 }, 'Error', 'no data: nothing is there; '],
  [{ consecutiveErrorLimit: 0 }, 'Error', 'no data: nothing is there'],
  [{ successCondition: 'len(result) == 0', noData: 'Fail' }, 'Failed', 'no data: nothing is there'],
  [{ failureCondition: 'len(result) == 0', noData: 'Pass' }, 'Successful'],
];

test.for(emptyAnswers)('an empty vector with %j is %s', ([metric, phase, message = '']) => {
  const provider = { prometheus: { address: 'http://p', query: 'up' } };
  const empty: ProviderReading = { type: 'no-data', why: 'nothing is there', result: [], evidence: {} };
  const { status, result } = play({ metrics: [webMetric({ ...metric, provider })] }, () => empty);
  expect(status.phase).toBe(phase);
  expect(result.measurements?.[0]?.message ?? '').toContain(message);
});

test('an error during which the clock is set back is not called again and again', () => {
  const spec = one();
  const begun = beginRun(spec, start);
  const error = { type: 'error', message: 'x', evidence: {} } as const;
  const back = later(start, millis(-60_000));
  const first = { ...call('webtest', start, 'E'), finishedAt: back, reading: error };
  const once = absorb({ spec, status: begun }, [first], back);
  const [again] = dueCalls({ spec, status: once }, ms(60_000), idle);
  expect(again?.plannedAt).toBeGreaterThan(start);
  expect(dueCalls({ spec, status: once }, later(back, millis(30_000)), idle)).toEqual([]);
  expect(again?.attempt).toBe(1);
  const slightly = { ...first, finishedAt: later(start, millis(-3000)) };
  const soon = absorb({ spec, status: begun }, [slightly], start);
  expect(dueCalls({ spec, status: soon }, ms(60_000), idle).map(({ attempt }) => attempt)).toEqual([1]);
  const second = { ...first, plannedAt: again?.plannedAt ?? start, finishedAt: ms(60_000) };
  const twice = absorb({ spec, status: once }, [second], ms(60_000));
  expect(twice.metricResults?.[0]).toMatchObject({ error: 2, consecutiveError: 2 });
});
