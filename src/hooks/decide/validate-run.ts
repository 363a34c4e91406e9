import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import { argsMap } from './args.ts';
import { metricProblems, placeholderProblems } from './metric-problems.ts';

/** More results do not fit into a status. */
const mostMetrics = 200;

/** The first reason why a run cannot be executed; undefined if it can. */
export function problemOfRun(spec: HookRunSpec): string | undefined {
  const { metrics = [], args = [] } = spec;
  if (metrics.length === 0) return 'spec.metrics: no metrics: add at least one';
  if (metrics.length > mostMetrics)
    return `spec.metrics: ${metrics.length} metrics are more than the ${mostMetrics} that one run can have: make several runs`;
  for (const [i, { name }] of metrics.entries())
    if (metrics.findIndex((other) => other.name === name) < i)
      return `spec.metrics[${i}].name: there is a metric "${name}" already`;
  for (const [i, metric] of metrics.entries()) {
    const [first] = metricProblems(metric);
    if (first !== undefined) return `spec.metrics[${i}].${first.path}: ${first.message}`;
  }
  const known = argsMap(args);
  if (known.type === 'problem') return `spec.args: ${known.message}`;
  for (const [i, metric] of metrics.entries()) {
    const [first] = placeholderProblems(metric, args);
    if (first !== undefined) return `spec.metrics[${i}].${first.path}: ${first.message}`;
  }
  return undefined;
}
