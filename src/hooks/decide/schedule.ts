import type { Measurement, MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { instant, later, parseTime, type Instant } from '#base/time.ts';
import { effectiveCount, errorPause, hasBadSpan, initialDelayOf, intervalOf } from './limits.ts';
import { isFinal, resultOf, type FinishedCall, type RunState } from './run.ts';

/** Rounds to microseconds, the resolution in a status, so that a time is the same after it is written and read. */
export const toMicro = (at: number): Instant => instant(Math.round(at * 1000) / 1000);

export const timeOf = (text: string | undefined): Instant | undefined =>
  text === undefined ? undefined : parseTime(text);

/** The planned time of the last call that is recorded. Calls up to it are not counted again. */
export function lastRecorded(result: MetricResult | undefined): Instant | undefined {
  return timeOf(result?.measurements?.findLast(({ finishedAt }) => finishedAt !== undefined)?.plannedAt);
}

/** When the next call of a metric is due; undefined if there is none. */
export function nextCall(run: RunState, metric: Metric): Instant | undefined {
  const { phase, count = 0, measurements = [] } = resultOf(run, metric.name);
  if (isFinal(phase) || hasBadSpan(metric)) return undefined;
  const from = plannedFrom(run, metric);
  const last = measurements.at(-1);
  if (from === undefined || last === undefined) return from;
  // A call without a result is repeated in its own slot.
  if (last.resumeAt === undefined && last.finishedAt === undefined) return timeOf(last.plannedAt) ?? from;
  const due = timeOf(last.resumeAt) ?? slotAfter(metric, count, last, from);
  return due === undefined ? undefined : afterRecorded(metric, due, lastRecorded(resultOf(run, metric.name)));
}

/**
 * Never less than one interval after the last recorded call. The clock may be set back during a call, which then ends before
 * its planned time: a call up to the recorded one would not be counted and be made again and again, and one in its slot would
 * have the same idempotency key.
 */
function afterRecorded(metric: Metric, due: Instant, recorded: Instant | undefined): Instant {
  const step = intervalOf(metric) ?? errorPause;
  const isLater = recorded === undefined || due > recorded + step - rounding;
  return isLater ? due : toMicro(later(recorded, step));
}

/** Planned times are rounded to microseconds; this is far more, in milliseconds. */
const rounding = 1;

/** The planned start of the first call, from the status or else from the start of the run. */
export function plannedFrom(run: RunState, metric: Metric): Instant | undefined {
  const started = timeOf(run.status.startedAt);
  if (started === undefined) return undefined;
  const recorded = timeOf(resultOf(run, metric.name).plannedFrom);
  return recorded ?? toMicro(later(started, initialDelayOf(metric)));
}

/** When the run began. The status has it in seconds; the planned start of the first metric adds the fraction. */
export function exactStart(run: RunState): Instant | undefined {
  const started = timeOf(run.status.startedAt);
  const [metric] = run.spec.metrics ?? [];
  if (started === undefined || metric === undefined) return started;
  const from = timeOf(resultOf(run, metric.name).plannedFrom);
  const exact = from === undefined ? started : toMicro(from - initialDelayOf(metric));
  return exact >= started && exact - started < 1000 ? exact : started;
}

/**
 * When to continue after a call, if not one interval after its planned start: slots that passed during the call are
 * skipped; without an interval an error is retried after a pause.
 */
export function resumeAfter(
  metric: Metric,
  {
    plannedAt,
    plannedFrom: from,
    finishedAt,
  }: Pick<FinishedCall, 'plannedAt' | 'plannedFrom' | 'finishedAt'>,
): Instant | undefined {
  const interval = intervalOf(metric);
  if (interval === undefined) return toMicro(later(finishedAt, errorPause));
  const usual = slot(from, slotNumber(plannedAt, from, interval) + 1, interval);
  if (finishedAt <= usual) return undefined;
  return slot(from, Math.ceil((finishedAt - from) / interval), interval);
}

/** The number of the slot of a call. */
export function attemptOf(metric: Metric, plannedAt: Instant, from: Instant): number {
  const step = intervalOf(metric) ?? errorPause;
  return Math.max(0, Math.floor((plannedAt - from) / step + 1e-6));
}

function slotAfter(metric: Metric, count: number, last: Measurement, from: Instant): Instant | undefined {
  const wanted = effectiveCount(metric);
  if (wanted !== undefined && count >= wanted) return undefined;
  const interval = intervalOf(metric);
  const ended = timeOf(last.finishedAt);
  const planned = timeOf(last.plannedAt);
  if (interval === undefined) {
    if (last.phase !== 'Error' && last.phase !== 'Pending') return undefined;
    return ended === undefined ? undefined : later(ended, errorPause);
  }
  // Measurements of other controllers have no planned time, so the interval counts from the end of the call.
  if (planned === undefined) return ended === undefined ? undefined : later(ended, interval);
  return slot(from, slotNumber(planned, from, interval) + 1, interval);
}

const slotNumber = (at: Instant, from: Instant, interval: number): number =>
  Math.round((at - from) / interval);
const slot = (from: Instant, number: number, interval: number): Instant => toMicro(from + number * interval);
