import type { HookRunSpec, HookRunStatus, MetricResult, RunPhase } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import type { Instant } from '#base/time.ts';
import type { FinalPhase, ProviderReading } from './reading.ts';

/** What the verdict of a run is decided from. */
export type RunState = { readonly spec: HookRunSpec; readonly status: HookRunStatus };

/** A call to make now. Its attempt is the number of its slot, so it is the same after a crash. */
export type DueCall = {
  readonly metric: Metric;
  readonly plannedAt: Instant;
  /** The planned start of the first call of the metric: slots are numbered from there. */
  readonly plannedFrom: Instant;
  readonly attempt: number;
};

/** A call that came back. */
export type FinishedCall = {
  readonly metric: string;
  readonly plannedAt: Instant;
  readonly plannedFrom: Instant;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly reading: ProviderReading;
};

/** The phase that undecided metrics get when the run is stopped; undefined while it is not. */
export const stopVerdictOf = ({ terminate, terminateVerdict }: HookRunSpec): FinalPhase | undefined =>
  terminate === true ? (terminateVerdict ?? 'Successful') : undefined;

/** Whether a phase never changes again. */
export function isFinal(phase: RunPhase | undefined): phase is FinalPhase {
  return phase !== undefined && phase !== 'Pending' && phase !== 'Running';
}

/** Phases that end the whole run. */
export function isBad(phase: RunPhase | undefined): boolean {
  return phase === 'Failed' || phase === 'Error' || phase === 'Inconclusive';
}

/** The result of a metric; only its name if it was never called. */
export function resultOf({ status }: RunState, name: string): MetricResult {
  return status.metricResults?.find((result) => result.name === name) ?? { name };
}
