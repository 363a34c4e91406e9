import { textAt } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { shorten } from '#base/text.ts';
import type { HookRunSpec, HookRunStatus, Measurement } from '#hooks/kinds/hook-run.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import { effectiveCount } from '#hooks/decide/limits.ts';
import { resultOf } from '#hooks/decide/run.ts';
import { isBad, isGood, isOver, phaseOf } from '#hooks/decide/run-phase.ts';
import { nextCall } from '#hooks/decide/schedule.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { originOf } from '#releases/model/run-labels.ts';
import type { MetricEvidence, MetricValue, RunEvidence } from './explanation.ts';
import type { ExplainContext } from './explain-context.ts';
import { stepNumber } from './step-words.ts';

/** Number of pod hooks and of values that are shown. */
const most = 3;

/** HookRuns that the release waits for, or that have stopped it. */
export function runEvidence(context: ExplainContext): readonly RunEvidence[] {
  const ofStep = stepRun(context);
  const runs = [...(ofStep === undefined ? [] : [ofStep]), ...podRuns(context).slice(0, most)];
  return runs.map((run) => evidenceOf(context, run));
}

/** The HookRun of the current step, or that which has aborted the release. */
function stepRun({ snapshot, status, isAborted, updateRevision }: ExplainContext): KubeObject | undefined {
  const current = textAt(status, 'canary', 'currentStepHookRun');
  if (current !== undefined) return snapshot.runs.find((run) => nameOf(run) === current);
  if (!isAborted) return undefined;
  const release = textAt(status, 'canary', 'releaseID') ?? '';
  return snapshot.runs
    .filter((run) => {
      const origin = originOf(run);
      const isOfRelease = origin.release === release && origin.revision === fitted(updateRevision);
      return origin.point === 'canary-step' && isOfRelease && isBad(run);
    })
    .toSorted(byCreation)
    .at(-1);
}

/** The name of `stepRun`, also of one that is about to be created. */
export function stepRunName(context: ExplainContext): string | undefined {
  const run = stepRun(context);
  return run === undefined ? undefined : nameOf(run);
}

/** HookRuns of pods that have not passed. */
export const podRuns = ({ snapshot }: Pick<ExplainContext, 'snapshot'>): readonly KubeObject[] =>
  snapshot.runs.filter((run) => !['', 'canary-step'].includes(originOf(run).point) && !isGood(run));

function evidenceOf(context: ExplainContext, run: KubeObject): RunEvidence {
  const spec = specOf(run);
  const status = statusOf(run);
  const { message } = status;
  return {
    name: nameOf(run),
    of: purposeOf(context, run),
    phase: phaseOf(run) === '' ? 'not taken up by a controller' : phaseOf(run),
    ...(message === undefined || message === '' ? {} : { message }),
    metrics: (spec.metrics ?? []).map((metric) => metricEvidence(run, { spec, status }, metric)),
  };
}

const points: Readonly<Record<string, string>> = {
  'pre-delete': 'before deletion',
  'pre-inplace': 'before the update in place',
  'post-inplace': 'after the update in place',
};

function purposeOf({ steps, snapshot }: ExplainContext, run: KubeObject): string {
  const { point, step, instance } = originOf(run);
  if (point === 'canary-step') return stepNumber(Number(step), steps);
  return `pod ${nameOf(snapshot.workload)}-${instance} ${points[point] ?? ''}`.trimEnd();
}

type RunParts = { readonly spec: HookRunSpec; readonly status: HookRunStatus };

function metricEvidence(run: KubeObject, parts: RunParts, metric: Metric): MetricEvidence {
  const { phase = 'Pending', message, count = 0, measurements = [] } = resultOf(parts, metric.name);
  const callsToMake = effectiveCount(metric);
  const next = isOver(run) ? undefined : nextCall(parts, metric);
  return {
    name: metric.name,
    phase,
    ...(message === undefined ? {} : { message }),
    threshold: thresholdOf(metric),
    calls: count,
    ...(callsToMake === undefined ? {} : { callsToMake }),
    values: measurements.slice(-most).map(valueOf),
    ...(next === undefined ? {} : { nextCall: formatTime(next) }),
  };
}

function thresholdOf({ successCondition = '', failureCondition = '' }: Metric): string {
  const parts = [
    ...(failureCondition === '' ? [] : [`fails if ${failureCondition}`]),
    ...(successCondition === '' ? [] : [`passes if ${successCondition}`]),
  ];
  return parts.length === 0 ? 'passes if the call works' : parts.join(', ');
}

const longestValue = 120;

function valueOf({ phase = 'Running', value, message, finishedAt, evidence }: Measurement): MetricValue {
  const because = evidence?.because ?? [];
  return {
    phase,
    ...(finishedAt === undefined ? {} : { time: finishedAt }),
    ...(value === undefined ? {} : { value: shorten(value, longestValue) }),
    ...(message === undefined || message === '' ? {} : { message: shorten(message, 2 * longestValue) }),
    ...(because.length === 0 ? {} : { because }),
  };
}

const byCreation = (left: KubeObject, right: KubeObject): number => (ageOf(left) < ageOf(right) ? -1 : 1);
const ageOf = (run: KubeObject): string =>
  `${textAt(run, 'metadata', 'creationTimestamp') ?? ''} ${nameOf(run)}`;
