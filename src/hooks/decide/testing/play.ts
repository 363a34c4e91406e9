import type { HookRunSpec, HookRunStatus, MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import type { Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { instant, later, millis, parseTime, type Instant } from '#base/time.ts';
import type { FinalPhase, ProviderReading } from '#hooks/decide/reading.ts';
import { absorb, beginRun, dueCalls, nextWake } from '#hooks/decide/verdict.ts';

/** Ten past three and a bit: not on a whole second, as in life. */
export const start: Instant = instant((parseTime('2020-11-09T10:08:49Z') ?? 0) + 250);

export const webMetric = (fields: Partial<Metric> = {}): Metric => ({
  name: 'webtest',
  provider: { web: { url: 'http://1.1.1.1:9091', jsonPath: '{$.age}' } },
  ...fields,
});

const verdict = (phase: FinalPhase, message?: string): ProviderReading => ({
  type: 'verdict',
  phase,
  evidence: {},
  ...(message === undefined ? {} : { message }),
});
export const value = (result: Json): ProviderReading => ({
  type: 'value',
  result,
  value: typeof result === 'string' ? result : printJson(result),
  evidence: {},
});

export const readings: Readonly<Record<string, ProviderReading>> = {
  S: verdict('Successful'),
  F: verdict('Failed'),
  I: verdict('Inconclusive'),
  E: { type: 'error', message: 'connection refused', evidence: {} },
  N: { type: 'no-data', why: 'the vector is empty', evidence: {} },
};

export type Played = {
  readonly status: HookRunStatus;
  readonly result: MetricResult;
  /** The planned start of every call that was made, in milliseconds after the start of the run. */
  readonly planned: readonly number[];
  readonly ended: Instant;
};

export type Answer = (call: { readonly metric: string; readonly n: number }) => ProviderReading;
export type Pace = {
  /** How long a call takes. */
  readonly took?: number;
  readonly until?: number;
};

/** Plays a run to its end, or until its time is up, one call of each metric at a time; waking up is punctual. */
export function play(spec: HookRunSpec, answer: Answer, pace: Pace = {}): Played {
  const { took = 20, until = 86_400_000 } = pace;
  let status = beginRun(spec, start);
  let now = start;
  const planned: number[] = [];
  const counts = new Map<string, number>();
  for (;;) {
    const run = { spec, status };
    const wake = nextWake(run, new Set());
    if (wake === undefined || wake - start > until) break;
    now = instant(Math.max(now, wake));
    const due = dueCalls(run, now, new Set());
    const finishedAt = later(now, millis(took));
    const finished = due.map(({ metric, plannedAt, plannedFrom }) => {
      const n = counts.get(metric.name) ?? 0;
      counts.set(metric.name, n + 1);
      planned.push(Math.round((plannedAt - start) * 1000) / 1000);
      const reading = answer({ metric: metric.name, n });
      return { metric: metric.name, plannedAt, plannedFrom, startedAt: now, finishedAt, reading };
    });
    now = finishedAt;
    status = absorb(run, finished, now);
  }
  return { status, result: status.metricResults?.[0] ?? { name: '' }, planned, ended: now };
}

/** Answers in the order of the letters; the last one for good. */
export const inTurn =
  (letters: string): Answer =>
  ({ n }) =>
    readings[letters.charAt(Math.min(n, letters.length - 1))] ?? verdict('Error', 'no such letter');
