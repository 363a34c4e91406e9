import type { Counter, Histogram, MetricDescription, Metrics, Sample } from '#base/metrics.ts';
import { phases, type HookRunStatus, type MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { providerWires } from '#hooks/kinds/providers.ts';
import { isFinal, type FinishedCall } from '#hooks/decide/run.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import type { KubeObject } from '#kube/object.ts';

const provider = 'web, prometheus, kubernetes, job or machine.';
const verdict = 'Successful, Failed, Error or Inconclusive.';

/** The metrics of HookRuns. */
export const hookRunMetrics = {
  measurements: {
    type: 'counter',
    name: 'boathook_hook_measurements_total',
    help: 'Calls of providers by provider and outcome.',
    labels: {
      provider,
      outcome: 'Successful, Failed, Error or Inconclusive; Pending: there was no data yet',
    },
  },
  lateness: {
    type: 'histogram',
    name: 'boathook_hook_measurement_lateness_seconds',
    help: 'Time by which a call started later than planned.',
    labels: { provider },
    bounds: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120],
  },
  latency: {
    type: 'histogram',
    name: 'boathook_hook_measurement_latency_seconds',
    help: 'Duration of a call of a provider.',
    labels: { provider },
    bounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  },
  verdicts: {
    type: 'counter',
    name: 'boathook_hook_verdicts_total',
    help: 'HookRuns that ended, by verdict.',
    labels: { verdict },
  },
  runs: {
    type: 'gauge',
    name: 'boathook_hook_runs',
    help: 'HookRuns in the cluster by their present phase.',
    labels: { phase: 'Pending, Running, Successful, Failed, Error or Inconclusive.' },
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

const verdicts = phases.filter(isFinal);
const outcomes = [...verdicts, 'Pending'] as const;
/** The tally of each outcome in the result of a metric. */
const tallies = {
  Successful: 'successful',
  Failed: 'failed',
  Error: 'error',
  Inconclusive: 'inconclusive',
} as const satisfies Readonly<Record<(typeof verdicts)[number], keyof MetricResult>>;

/** What a written status has more than the one before. */
export type WrittenRun = {
  readonly run: KubeObject;
  readonly before: HookRunStatus;
  readonly after: HookRunStatus;
  /** The calls whose results are in the written status, and were not in the one before. */
  readonly calls: readonly FinishedCall[];
};

/** Counts calls and verdicts. */
export class HookRunMetrics {
  readonly #measurements: Counter;
  readonly #lateness: Histogram;
  readonly #latency: Histogram;
  readonly #verdicts: Counter;

  constructor(metrics: Metrics) {
    this.#measurements = metrics.counter(hookRunMetrics.measurements);
    this.#lateness = metrics.histogram(hookRunMetrics.lateness);
    this.#latency = metrics.histogram(hookRunMetrics.latency);
    this.#verdicts = metrics.counter(hookRunMetrics.verdicts);
    for (const each of Object.keys(providerWires))
      for (const outcome of outcomes) this.#measurements.add({ provider: each, outcome }, 0);
    for (const each of verdicts) this.#verdicts.add({ verdict: each }, 0);
  }

  /** To be called when a status was written. */
  written({ run, before, after, calls }: WrittenRun): void {
    const byName = new Map(specOf(run).metrics?.map((metric) => [metric.name, providerOf(metric)]));
    for (const call of calls) {
      const labels = { provider: byName.get(call.metric) ?? 'unknown' };
      this.#lateness.observe(labels, Math.max(0, call.startedAt - call.plannedAt) / 1000);
      this.#latency.observe(labels, (call.finishedAt - call.startedAt) / 1000);
    }
    for (const name of new Set(calls.map(({ metric }) => metric)))
      this.#count(byName.get(name) ?? 'unknown', resultIn(before, name), {
        result: resultIn(after, name),
        calls: calls.filter(({ metric }) => metric === name).length,
      });
    if (isFinal(after.phase) && !isFinal(before.phase)) this.#verdicts.add({ verdict: after.phase });
  }

  /** The tallies have grown by the calls that were judged; the others wait for data. */
  #count(
    labels: string,
    before: MetricResult | undefined,
    { result, calls }: { readonly result: MetricResult | undefined; readonly calls: number },
  ): void {
    let judged = 0;
    for (const outcome of verdicts) {
      const grown = Math.max(0, (result?.[tallies[outcome]] ?? 0) - (before?.[tallies[outcome]] ?? 0));
      judged += grown;
      if (grown > 0) this.#measurements.add({ provider: labels, outcome }, grown);
    }
    if (calls > judged) this.#measurements.add({ provider: labels, outcome: 'Pending' }, calls - judged);
  }
}

const resultIn = ({ metricResults }: HookRunStatus, name: string): MetricResult | undefined =>
  metricResults?.find((result) => result.name === name);

const providerOf = ({ provider: given }: Metric): string =>
  Object.keys(providerWires).find((name) => name in given) ?? 'unknown';

/** How many runs are in each phase, also in those that none is in. */
export function runSamples(runs: readonly KubeObject[]): readonly Sample[] {
  const counts = new Map<string, number>(phases.map((phase) => [phase, 0]));
  for (const run of runs) {
    const { phase = 'Pending' } = statusOf(run);
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  return [...counts].map(([phase, value]) => ({ labels: { phase }, value }));
}
