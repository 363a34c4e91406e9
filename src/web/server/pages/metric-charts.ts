import { defined } from '#base/defined.ts';
import type { Evidence, Measurement, MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import type { KubeObject } from '#kube/object.ts';
import type { MeasurementPoint, MetricChart } from '#web/wire/hook-pages.ts';
import { thresholdsOf } from './thresholds.ts';

/** The charts of the metrics of a HookRun. */
export function metricCharts(run: KubeObject): readonly MetricChart[] {
  const { metricResults = [] } = statusOf(run);
  return chartsOf(specOf(run).metrics ?? [], metricResults);
}

export function chartsOf(
  metrics: readonly Metric[],
  metricResults: readonly MetricResult[],
): readonly MetricChart[] {
  const results = new Map(metricResults.map((each) => [each.name, each]));
  return metrics.map((metric) => {
    const { name, successCondition, failureCondition } = metric;
    const result = results.get(name);
    return defined<MetricChart>({
      metric: name,
      phase: result?.phase ?? 'Pending',
      successCondition,
      failureCondition,
      thresholds: thresholdsOf(successCondition, failureCondition),
      points: (result?.measurements ?? []).map(pointOf),
    });
  });
}

function pointOf(measurement: Measurement): MeasurementPoint {
  const { finishedAt, startedAt, phase = 'Running', value = '', message = '', evidence } = measurement;
  return defined<MeasurementPoint>({
    time: finishedAt ?? startedAt ?? '',
    phase,
    number: numberIn(value),
    value,
    message,
    latencyMillis: evidence?.latencyMs,
    request: evidence?.request,
    reply: replyOf(evidence),
    evaluation: evaluationOf(phase, evidence),
  });
}

/** The number of a value: `45`, `"45"`, or a list of one, as a vector of Prometheus is written. */
export function numberIn(value: string): number | undefined {
  const bare = value
    .trim()
    .replace(/^\[(.*)\]$/s, '$1')
    .replace(/^"(.*)"$/s, '$1')
    .trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(bare)) return undefined;
  const number = Number(bare);
  return Number.isFinite(number) ? number : undefined;
}

function replyOf(evidence: Evidence | undefined): string | undefined {
  if (evidence?.status === undefined) return evidence?.body;
  return `HTTP ${evidence.status}${evidence.body === undefined ? '' : `\n${evidence.body}`}`;
}

function evaluationOf(phase: string, evidence: Evidence | undefined): string | undefined {
  if (evidence?.expression === undefined) return undefined;
  const because = evidence.because ?? [];
  const values = because.length === 0 ? '' : ` (${because.join(', ')})`;
  return `${evidence.expression}${values}: ${phase}`;
}
