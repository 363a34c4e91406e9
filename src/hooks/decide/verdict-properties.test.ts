import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HookRunSpec, HookRunStatus, MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { instant, later, millis } from '#base/time.ts';
import { effectiveCount, errorLimitOf, intervalOf } from './limits.ts';
import { isFinal, type FinishedCall } from './run.ts';
import { readings, start } from './testing/play.ts';
import { problemOfRun } from './validate-run.ts';
import { absorb, beginRun, dueCalls, nextWake } from './verdict.ts';

const limit = fc.option(fc.nat(3), { nil: undefined });
const metricFields = fc.record(
  {
    interval: fc.constantFrom('1s', '250ms', '7s', '1m'),
    initialDelay: fc.constantFrom('0s', '3s', '1500ms'),
    count: fc.nat(5),
    failureLimit: limit,
    inconclusiveLimit: limit,
    consecutiveErrorLimit: limit,
    successfulLimit: limit,
    consecutiveSuccessfulLimit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    noData: fc.constantFrom('Error', 'Wait', 'Inconclusive', 'Fail', 'Pass'),
    noDataWait: fc.constantFrom('0s', '5s'),
  },
  { requiredKeys: [] },
);
const provider: Metric['provider'] = { web: { url: 'http://h' } };
const specs: fc.Arbitrary<HookRunSpec> = fc.record(
  {
    metrics: fc.array(metricFields, { minLength: 1, maxLength: 3 }).map((list) =>
      list.map((fields, i) => {
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        return { name: `m${i}`, provider, ...given };
      }),
    ),
    policy: fc.constantFrom('Parallel' as const, 'Ordered' as const),
    measurementRetention: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['metrics'] },
);

/** What happens next in a run: time passes, calls begin, come back, come back again, or it is terminated. */
const happening = fc.record({
  letter: fc.constantFrom('S', 'F', 'I', 'E', 'N'),
  late: fc.constantFrom(0, 0, 3, 400, 12_000),
  took: fc.constantFrom(1, 20, 700, 1300),
  twice: fc.boolean(),
  terminate: fc.integer({ min: 0, max: 30 }).map((n) => n === 0),
});
type Happening = typeof happening extends fc.Arbitrary<infer Type> ? Type : never;

type Seen = {
  readonly spec: HookRunSpec;
  readonly before: HookRunStatus;
  readonly after: HookRunStatus;
  readonly calls: readonly FinishedCall[];
};

/** Plays one run and shows every step of it. */
function follow(
  first: HookRunSpec,
  happenings: readonly Happening[],
  look: (seen: Seen) => void,
): HookRunStatus {
  let spec = first;
  let now = start;
  let status = beginRun(spec, now);
  for (const { letter, late, took, twice, terminate } of happenings) {
    if (terminate) spec = { ...spec, terminate: true };
    const wake = nextWake({ spec, status }, new Set());
    if (wake !== undefined) now = instant(Math.max(now, wake) + late);
    const due = dueCalls({ spec, status }, now, new Set());
    // A wake-up in the past means that something is due; nothing is due without one.
    expect(due.length > 0).toBe(wake !== undefined && wake <= now);
    for (const { plannedAt } of due) expect(plannedAt).toBeLessThanOrEqual(now);
    const finishedAt = later(now, millis(took));
    const calls = due.map(({ metric, plannedAt, plannedFrom }) => ({
      metric: metric.name,
      plannedAt,
      plannedFrom,
      startedAt: now,
      finishedAt,
      reading: readings[letter] ?? { type: 'error' as const, message: '', evidence: {} },
    }));
    now = finishedAt;
    const after = absorb({ spec, status }, calls, now);
    look({ spec, before: status, after, calls });
    status = after;
    if (twice) expect(absorb({ spec, status }, calls, now)).toEqual(status);
  }
  return status;
}

const named = (status: HookRunStatus, name: string): MetricResult =>
  status.metricResults?.find((result) => result.name === name) ?? { name };

const sound = specs.filter((spec) => problemOfRun(spec) === undefined);
const plays = fc.tuple(sound, fc.array(happening, { maxLength: 25 }));
const check = (look: (seen: Seen) => void): void =>
  fc.assert(
    fc.property(plays, ([spec, happenings]) => void follow(spec, happenings, look)),
    { numRuns: 400 },
  );

const lasting = ['count', 'successful', 'failed', 'inconclusive', 'error'] as const;
const streaks = ['consecutiveError', 'consecutiveSuccessful'] as const;
type Counts = Readonly<Record<string, number>>;

const countsOf = (result: MetricResult): Counts =>
  Object.fromEntries([...lasting, ...streaks].map((key) => [key, result[key] ?? 0]));

test('counters are consistent and never go back', () => {
  check(({ spec, before, after }) => {
    for (const { name } of spec.metrics ?? []) {
      const now = countsOf(named(after, name));
      const earlier = countsOf(named(before, name));
      expect(now['count']).toBe(
        Number(now['successful']) + Number(now['failed']) + Number(now['inconclusive']),
      );
      expect(now['consecutiveError']).toBeLessThanOrEqual(Number(now['error']));
      expect(now['consecutiveSuccessful']).toBeLessThanOrEqual(Number(now['successful']));
      for (const key of lasting) expect(now[key]).toBeGreaterThanOrEqual(Number(earlier[key]));
    }
  });
});

test('a step counts each call at most once', () => {
  check(({ spec, before, after, calls }) => {
    const made = (result: MetricResult): number => (result.count ?? 0) + (result.error ?? 0);
    for (const { name } of spec.metrics ?? []) {
      const asked = calls.filter(({ metric }) => metric === name).length;
      expect(made(named(after, name)) - made(named(before, name))).toBeLessThanOrEqual(asked);
    }
  });
});

test('what is final stays, of a metric and of the run', () => {
  check(({ before, after }) => {
    if (isFinal(before.phase)) expect(after).toBe(before);
    for (const result of before.metricResults ?? [])
      if (isFinal(result.phase)) expect(named(after, result.name)).toEqual(result);
  });
});

function expectWithinLimits(metric: Metric, result: MetricResult): void {
  const { failed = 0, inconclusive = 0, consecutiveError = 0, successful = 0 } = result;
  const { failureLimit = 0, inconclusiveLimit = 0, successfulLimit = 0 } = metric;
  expect(failed).toBeLessThanOrEqual(failureLimit);
  expect(consecutiveError).toBeLessThanOrEqual(errorLimitOf(metric));
  // The success limit is checked before undecided results.
  const isEnough = successfulLimit > 0 && successful >= successfulLimit;
  if (!isEnough) expect(inconclusive).toBeLessThanOrEqual(inconclusiveLimit);
}

test('never Successful while a limit is exceeded', () => {
  check(({ spec, after }) => {
    for (const metric of spec.metrics ?? []) {
      const result = named(after, metric.name);
      if (result.phase === 'Successful') expectWithinLimits(metric, result);
    }
    if (after.phase !== 'Successful') return;
    expect((after.metricResults ?? []).every(({ phase }) => phase === 'Successful')).toBe(true);
  });
});

test('no more calls count than were wanted', () => {
  check(({ spec, after }) => {
    for (const metric of spec.metrics ?? [])
      expect(named(after, metric.name).count ?? 0).toBeLessThanOrEqual(effectiveCount(metric) ?? Infinity);
  });
});

test('calls of a metric with an interval are planned on its grid, each slot once', () => {
  const slots = new Map<string, number>();
  fc.assert(
    fc.property(plays, ([spec, happenings]) => {
      slots.clear();
      follow(spec, happenings, ({ after, calls }) => {
        for (const { metric: name, plannedAt } of calls) {
          const metric = spec.metrics?.find((each) => each.name === name);
          const interval = metric === undefined ? undefined : intervalOf(metric);
          const from = Date.parse(named(after, name).plannedFrom ?? '');
          if (interval === undefined) continue;
          const slot = (plannedAt - from) / interval;
          expect(Math.abs(slot - Math.round(slot))).toBeLessThan(1e-6);
          expect(Math.round(slot)).toBeGreaterThan(slots.get(name) ?? -1);
          slots.set(name, Math.round(slot));
        }
      });
    }),
    { numRuns: 400 },
  );
});

test('with terminate a run ends at once', () => {
  check(({ spec, after }) => {
    if (spec.terminate === true) expect(isFinal(after.phase)).toBe(true);
    expect(after.finishedAt !== undefined).toBe(isFinal(after.phase));
  });
});

test('a run that is not over has something to wait for', () => {
  check(({ spec, after }) => {
    if (isFinal(after.phase)) return;
    expect(nextWake({ spec, status: after }, new Set())).toBeDefined();
  });
});

test('no more measurements are kept than measurementRetention', () => {
  check(({ spec, after }) => {
    for (const { measurements = [] } of after.metricResults ?? [])
      expect(measurements.length).toBeLessThanOrEqual(spec.measurementRetention ?? 10);
  });
});
