import type { MetricDescription } from '#base/metrics.ts';
import { processMetrics } from '#command/process-metrics.ts';
import { apiMetrics } from '#edge/kube/measured-transport.ts';
import { hookRunMetrics } from '#hooks/controller/hook-run-metrics.ts';
import { reconcileMetrics } from '#loop/reconcile-metrics.ts';
import { machineMetrics } from '#machines/controller/machine-metrics.ts';
import { registrationMetrics } from '#registrations/controller/hook-metrics.ts';
import { releaseMetrics } from '#releases/controller/release-metrics.ts';

export type MetricGroup = { readonly title: string; readonly metrics: readonly MetricDescription[] };

/** Every metric of Boathook. The reference page is printed from it; dashboard and alerts are checked against it. */
export const metricTable: readonly MetricGroup[] = [
  { title: 'Process', metrics: Object.values(processMetrics) },
  { title: 'Controllers', metrics: Object.values(reconcileMetrics) },
  { title: 'Requests to the API server', metrics: Object.values(apiMetrics) },
  { title: 'Releases', metrics: Object.values(releaseMetrics) },
  { title: 'Hooks', metrics: Object.values(hookRunMetrics) },
  { title: 'Machines', metrics: Object.values(machineMetrics) },
  { title: 'Registrations', metrics: Object.values(registrationMetrics) },
];
