import type { HookRunSpec, HookRunStatus, MetricResult } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { formatMicroTime, formatTime, later, type Instant } from '#base/time.ts';
import { closeRun } from './close-run.ts';
import { initialDelayOf, retentionOf } from './limits.ts';
import { assessMetric, type Assessment } from './assess.ts';
import { recordCall } from './record-call.ts';
import type { FinalPhase } from './reading.ts';
import { isBad, isFinal, stopVerdictOf, type DueCall, type FinishedCall, type RunState } from './run.ts';
import { attemptOf, exactStart, lastRecorded, nextCall, plannedFrom, timeOf, toMicro } from './schedule.ts';
import { endUnfinished } from './end-unfinished.ts';
import { fitResults } from './fit-results.ts';

/** The status of a run that begins now. Metrics that can be called at once get a planned start, to the microsecond. */
export function beginRun(spec: HookRunSpec, now: Instant): HookRunStatus {
  const status: HookRunStatus = { phase: 'Running', startedAt: formatTime(now) };
  const begun = { ...status, metricResults: planned({ spec, status }, [], { begun: now, now }) };
  return closeRun({ spec, status: begun }, now);
}

/** The calls to make now. `inFlight`: the metrics whose call is in progress. */
export function dueCalls(run: RunState, now: Instant, inFlight: ReadonlySet<string>): readonly DueCall[] {
  return upcoming(run, inFlight)
    .filter(({ plannedAt }) => plannedAt <= now)
    .map(({ metric, plannedAt }) => {
      const from = plannedFrom(run, metric) ?? plannedAt;
      return { metric, plannedAt, plannedFrom: from, attempt: attemptOf(metric, plannedAt, from) };
    });
}

/** When the next call is due, which may be in the past; undefined if there is none without a change. */
export function nextWake(run: RunState, inFlight: ReadonlySet<string>): Instant | undefined {
  const times = upcoming(run, inFlight).map(({ plannedAt }) => plannedAt);
  return times.length === 0 ? undefined : times.reduce((first, time) => (time < first ? time : first));
}

/**
 * The status after some calls came back (none: to apply `terminate`). A call that is recorded already, belongs to
 * another plan or to a metric that is complete, is dropped. A finished run stays as it is.
 */
export function absorb(run: RunState, finished: readonly FinishedCall[], now: Instant): HookRunStatus {
  const { spec, status } = run;
  if (isFinal(status.phase)) return status;
  const retention = retentionOf(spec);
  const before = new Map((status.metricResults ?? []).map((result) => [result.name, result]));
  const counted = (spec.metrics ?? []).map((metric): Counted => {
    const calls = finished
      .filter((call) => call.metric === metric.name)
      .toSorted((a, b) => a.plannedAt - b.plannedAt);
    const result = before.get(metric.name);
    return { metric, result: calls.reduce((now, call) => count(metric, now, call), result) };
  });
  const assessed = assessAll(counted, stopVerdictOf(spec), now);
  const kept = fitResults(assessed.map((result) => trimmed(result, retention)));
  const otherResults = (status.metricResults ?? []).filter(
    ({ name }) => !(spec.metrics ?? []).some((metric) => metric.name === name),
  );
  const begun = status.startedAt === undefined ? { ...status, startedAt: formatTime(now) } : status;
  const measured = { ...begun, phase: 'Running' as const, metricResults: [...kept, ...otherResults] };
  const metricResults = [
    ...planned({ spec, status: measured }, kept, { begun: exactStart(run) ?? now, now }),
    ...otherResults,
  ];
  return closeRun({ spec, status: { ...measured, metricResults } }, now);
}

type Counted = { readonly metric: Metric; readonly result: MetricResult | undefined };

/** Metrics that wait for their next call, and when it is due; none once the run is ending. */
function upcoming(
  run: RunState,
  inFlight: ReadonlySet<string>,
): readonly { readonly metric: Metric; readonly plannedAt: Instant }[] {
  if (isEnding(run) || run.status.startedAt === undefined) return [];
  return openMetrics(run).flatMap((metric) => {
    if (inFlight.has(metric.name)) return [];
    const plannedAt = nextCall(run, metric);
    return plannedAt === undefined ? [] : [{ metric, plannedAt }];
  });
}

function isEnding({ spec, status }: RunState): boolean {
  if (spec.terminate === true || isFinal(status.phase)) return true;
  return (status.metricResults ?? []).some(({ phase }) => isBad(phase));
}

/** Metrics that can be called: with the policy Ordered only the first that is not complete. */
function openMetrics({ spec, status }: RunState): readonly Metric[] {
  const complete = new Set(
    (status.metricResults ?? []).filter(({ phase }) => isFinal(phase)).map(({ name }) => name),
  );
  const open = (spec.metrics ?? []).filter(({ name }) => !complete.has(name));
  return spec.policy === 'Ordered' ? open.slice(0, 1) : open;
}

/** The results, with a planned start for every metric that can be called from now on and has none. */
function planned(
  run: RunState,
  results: readonly MetricResult[],
  { begun, now }: { readonly begun: Instant; readonly now: Instant },
): readonly MetricResult[] {
  if (isEnding(run)) return results;
  const open = new Set(openMetrics(run).map(({ name }) => name));
  const known = new Map(results.map((result) => [result.name, result]));
  return (run.spec.metrics ?? []).flatMap((metric) => {
    const result = known.get(metric.name);
    const isPlanned = result?.plannedFrom !== undefined || (result?.measurements ?? []).length > 0;
    if (isPlanned || !open.has(metric.name)) return result ?? [];
    const from = toMicro(Math.max(now, later(begun, initialDelayOf(metric))));
    return { ...(result ?? { name: metric.name, phase: 'Pending' }), plannedFrom: formatMicroTime(from) };
  });
}

/**
 * A process that has not seen how the run began makes a plan of its own, with the same idempotency keys. Its calls do not
 * count in the plan that was written.
 */
function count(
  metric: Metric,
  result: MetricResult | undefined,
  call: FinishedCall,
): MetricResult | undefined {
  if (isFinal(result?.phase)) return result;
  const recorded = lastRecorded(result);
  if (recorded !== undefined && toMicro(call.plannedAt) <= recorded) return result;
  const from = timeOf(result?.plannedFrom);
  if (from !== undefined && from !== call.plannedFrom) return result;
  return recordCall(metric, result ?? { name: metric.name }, call);
}

/** Assesses every metric. One that is Failed, Error or Inconclusive ends the others. */
function assessAll(
  counted: readonly Counted[],
  stop: FinalPhase | undefined,
  now: Instant,
): readonly MetricResult[] {
  const first = counted.map((each) => settled(each, stop, now));
  const isEnded = stop !== undefined || first.some((result) => isBad(result?.phase));
  if (!isEnded) return first.filter((result) => result !== undefined);
  return counted.flatMap(({ metric }, i) => {
    const result = settled({ metric, result: first[i] }, stop ?? 'Successful', now);
    // A metric that was never called does not count.
    return result ?? [];
  });
}

function settled(
  { metric, result }: Counted,
  ending: FinalPhase | undefined,
  now: Instant,
): MetricResult | undefined {
  if (result === undefined) return undefined;
  const closed = ending === undefined ? result : endUnfinished(result, ending, now);
  return withAssessment(closed, assessMetric(metric, closed, ending));
}

function withAssessment(result: MetricResult, { phase, why }: Assessment): MetricResult {
  if (phase === result.phase) return result;
  if (!isFinal(phase)) return { ...result, phase };
  const lastMessage = phase === 'Successful' ? undefined : result.measurements?.at(-1)?.message;
  const message = [why, lastMessage].filter((part) => part !== undefined).join('; ');
  const measurements = result.measurements?.map(({ resumeAt: _over, ...rest }) => rest);
  return {
    ...result,
    phase,
    ...(measurements === undefined ? {} : { measurements }),
    ...(message === '' ? {} : { message }),
  };
}

function trimmed(result: MetricResult, retention: number): MetricResult {
  const { measurements = [] } = result;
  return measurements.length <= retention
    ? result
    : { ...result, measurements: measurements.slice(-retention) };
}
