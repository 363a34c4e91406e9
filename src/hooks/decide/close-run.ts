import type { HookRunSpec, HookRunStatus, MetricResult, RunPhase } from '#hooks/kinds/hook-run.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { worstOf } from './assess.ts';
import { effectiveCount } from './limits.ts';
import { isBad, isFinal, stopVerdictOf, type RunState } from './run.ts';
import { shortened } from './shortened.ts';

/** The status with phase, summary and, once there is a verdict, message and conditions. */
export function closeRun({ spec, status }: RunState, now: Instant): HookRunStatus {
  const results = status.metricResults ?? [];
  const phase = phaseOf({ spec, status });
  const summary = summaryOf({ spec, status });
  const open = { ...status, phase, ...(summary === '' ? {} : { summary }) };
  if (!isFinal(phase)) return open;
  const message = messageOf(results, phase) ?? stoppedMessage(spec, phase);
  return {
    ...open,
    ...(message === undefined ? {} : { message }),
    finishedAt: formatTime(now),
    conditions: conditionsOf(phase, message, now),
  };
}

/** The status of a run that cannot be executed: its phase is Error, and no more calls are made. */
export function refuseRun(why: string, now: Instant, before: HookRunStatus = {}): HookRunStatus {
  const time = formatTime(now);
  const message = shortened(why);
  const conditions = conditionsOf('Error', message, now);
  const open = { ...before, phase: 'Error' as const, message, conditions };
  const refused = { ...open, startedAt: before.startedAt ?? time, finishedAt: time };
  if (before.metricResults === undefined) return refused;
  const metricResults = before.metricResults.map((result) =>
    isFinal(result.phase) ? result : { ...result, phase: 'Error' as const, message },
  );
  return { ...refused, metricResults };
}

function phaseOf({ spec, status }: RunState): RunPhase {
  const results = status.metricResults ?? [];
  const metrics = spec.metrics ?? [];
  const phases = new Map(results.map((result) => [result.name, result.phase ?? 'Pending']));
  const known = metrics.flatMap(({ name }) => phases.get(name) ?? []);
  const ending = spec.terminate === true || known.some(isBad);
  const isOpen = known.some((phase) => !isFinal(phase)) || (!ending && known.length < metrics.length);
  if (isOpen) return 'Running';
  const stop = stopVerdictOf(spec);
  return worstOf(stop === undefined ? known : [...known, stop]);
}

function messageOf(results: readonly MetricResult[], phase: RunPhase): string | undefined {
  const decisive = results.find((result) => isBad(phase) && result.phase === phase);
  if (decisive === undefined) return undefined;
  const { name, message, measurements } = decisive;
  const { because = [], expression } = measurements?.at(-1)?.evidence ?? {};
  const isNamed = expression === undefined || because.some((each) => each.includes(expression));
  const condition = isNamed ? [] : [`condition: ${expression}`];
  const seen = [...because, ...condition].join(', ');
  const why = seen === '' ? '' : ` (${seen})`;
  return `metric ${name} is ${phase}: ${message ?? 'no reason was given'}${why}`;
}

/** For a run that was stopped when no metric was open. */
const stoppedMessage = (spec: HookRunSpec, phase: RunPhase): string | undefined =>
  isBad(phase) && stopVerdictOf(spec) === phase ? `the run was stopped with the verdict ${phase}` : undefined;

/** `webtest Failed 1/2, ready Running 3`. */
function summaryOf({ spec, status }: RunState): string {
  const results = new Map((status.metricResults ?? []).map((result) => [result.name, result]));
  return (spec.metrics ?? [])
    .map((metric) => {
      const { phase = 'Pending', count = 0 } = results.get(metric.name) ?? {};
      const wanted = effectiveCount(metric);
      return `${metric.name} ${phase} ${count}${wanted === undefined ? '' : `/${wanted}`}`;
    })
    .join(', ');
}

type Conditions = NonNullable<HookRunStatus['conditions']>;

function conditionsOf(phase: RunPhase, message: string | undefined, now: Instant): Conditions {
  const common = {
    reason: phase,
    ...(message === undefined ? {} : { message }),
    lastTransitionTime: formatTime(now),
  };
  const hasFailed = phase === 'Failed' || phase === 'Error';
  return [
    { type: 'Complete', status: 'True', ...common },
    { type: 'Failed', status: hasFailed ? 'True' : 'False', ...common },
  ];
}
