import type { HookRunSpec, HookRunStatus, MetricResult, RunPhase } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import type { Instant } from '#base/time.ts';
import type { FinalPhase, ProviderReading } from './reading.ts';

/** A run as it is judged. */
export type RunState = { readonly spec: HookRunSpec; readonly status: HookRunStatus };

/** A call to be made now. The same slot has the same attempt, also when it is asked for again after a crash. */
export type DueCall = { readonly metric: Metric; readonly plannedAt: Instant; readonly attempt: number };

/** A call that came back. */
export type FinishedCall = {
  readonly metric: string;
  readonly plannedAt: Instant;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly reading: ProviderReading;
};

/** What the undecided metrics of a run that shall stop end as; undefined while it goes on. */
export const stopVerdictOf = ({ terminate, terminateVerdict }: HookRunSpec): FinalPhase | undefined =>
  terminate === true ? (terminateVerdict ?? 'Successful') : undefined;

/** Whether nothing changes any more. */
export function isFinal(phase: RunPhase | undefined): phase is FinalPhase {
  return phase !== undefined && phase !== 'Pending' && phase !== 'Running';
}

/** Phases that end the whole run (§1.5). */
export function isBad(phase: RunPhase | undefined): boolean {
  return phase === 'Failed' || phase === 'Error' || phase === 'Inconclusive';
}

/** How a metric stands; nothing but its name when it was never touched. */
export function resultOf({ status }: RunState, name: string): MetricResult {
  return status.metricResults?.find((result) => result.name === name) ?? { name };
}
