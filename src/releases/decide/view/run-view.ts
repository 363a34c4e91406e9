import { defined } from '#base/defined.ts';
import { textAt } from '#base/json.ts';
import type { MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { badMessage, phaseOf } from '#hooks/decide/run-phase.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { originOf } from '#releases/model/run-labels.ts';

/** A metric of a HookRun: its last value beside the condition that it must meet. */
export type MetricView = {
  readonly name: string;
  readonly phase: string;
  /** Value of the last call that returned one. */
  readonly value?: string;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  /** Calls that returned a result or an error. */
  readonly calls: number;
  /** Calls that are planned; undefined: until the verdict. */
  readonly plannedCalls?: number;
  readonly failed: number;
  /** Failed calls that are tolerated. */
  readonly failureLimit: number;
  /** Why it is not successful. */
  readonly message?: string;
};

export type RunView = {
  readonly name: string;
  /** canary-step, pre-delete, pre-inplace or post-inplace. */
  readonly point: string;
  /** From 1. */
  readonly step?: number;
  /** Id or ordinal of the pod that the hook is for. */
  readonly instance?: string;
  readonly phase: string;
  readonly message: string;
  /** RFC 3339. */
  readonly created: string;
  readonly finishedAt?: string;
  readonly metrics: readonly MetricView[];
};

export function runViewOf(run: KubeObject): RunView {
  const { point, step, instance } = originOf(run);
  const { finishedAt, metricResults = [] } = statusOf(run);
  const results = new Map(metricResults.map((each) => [each.name, each]));
  return defined<RunView>({
    name: nameOf(run),
    point,
    step: step === '' ? undefined : Number(step) + 1,
    instance: instance === '' ? undefined : instance,
    phase: phaseOf(run) || 'Pending',
    message: badMessage(run),
    created: textAt(run, 'metadata', 'creationTimestamp') ?? '',
    finishedAt,
    metrics: (specOf(run).metrics ?? []).map((metric) =>
      metricViewOf(metric, results.get(metric.name) ?? { name: metric.name }),
    ),
  });
}

function metricViewOf(metric: Metric, result: MetricResult): MetricView {
  const { successCondition, failureCondition, failureLimit = 0 } = metric;
  const { name, phase = 'Pending', message, measurements = [], count = 0, error = 0, failed = 0 } = result;
  return defined<MetricView>({
    name,
    phase,
    value: measurements.findLast((each) => (each.value ?? '') !== '')?.value,
    successCondition,
    failureCondition,
    calls: count + error,
    plannedCalls: plannedCalls(metric),
    failed,
    failureLimit,
    message: message ?? measurements.at(-1)?.message,
  });
}

function plannedCalls({ count = 0, interval }: Metric): number | undefined {
  if (count > 0) return count;
  return interval === undefined ? 1 : undefined;
}
