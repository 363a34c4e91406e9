import { conditionsOf, isConditionTrue, removeCondition } from '#kube/conditions.ts';
import { textAt, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { normal, warning, type Note } from '#loop/note.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { declaredEnd, type JobConclusion } from './finish.ts';
import { formatIndexes } from './indexes.ts';
import type { JobSpec, Tally } from './tally.ts';

export type JobState = {
  readonly spec: JobSpec;
  readonly count: Tally;
  readonly end: JobConclusion | undefined;
  /** Active pods that this pass deletes. */
  readonly lost: number;
};

export type JobReport = { readonly status: JsonObject; readonly notes: readonly Note[] };

export function jobStatus(job: KubeObject, state: JobState, now: Instant): JobReport {
  const { spec, count, end, lost } = state;
  const notes: Note[] = [];
  const conditions = suspension(job, spec, notes, now);
  const active = count.active.length - lost;
  const status: MutableJsonObject = {
    ...counters(spec, count, active),
    terminating: count.terminating + lost,
    uncountedTerminatedPods: uncountedOf(count),
  };
  const start = startTime(job, spec, now);
  if (start !== undefined) status['startTime'] = start;
  const finished = end === undefined ? [] : finish(job, { ...state, end }, notes, now);
  if (finished.some((each) => each['type'] === 'Complete')) status['completionTime'] = formatTime(now);
  const all: readonly Json[] = [...conditions, ...finished];
  if (all.length > 0) status['conditions'] = all;
  return { status, notes };
}

function counters(spec: JobSpec, count: Tally, active: number): MutableJsonObject {
  const status: MutableJsonObject = { ready: count.ready };
  if (active > 0) status['active'] = active;
  if (count.settled.succeeded > 0) status['succeeded'] = count.settled.succeeded;
  if (count.settled.failed > 0) status['failed'] = count.settled.failed;
  if (count.completedIndexes.size > 0) status['completedIndexes'] = formatIndexes(count.completedIndexes);
  if (spec.backoffLimitPerIndex !== undefined) status['failedIndexes'] = formatIndexes(count.failedIndexes);
  return status;
}

function uncountedOf({ uncounted }: Tally): JsonObject {
  return {
    ...(uncounted.succeeded.length === 0 ? {} : { succeeded: uncounted.succeeded }),
    ...(uncounted.failed.length === 0 ? {} : { failed: uncounted.failed }),
  };
}

/** A job's time runs from its start, or from when it was last resumed. */
function startTime(job: KubeObject, spec: JobSpec, now: Instant): string | undefined {
  if (spec.isSuspended) return undefined;
  const known = textAt(job, 'status', 'startTime');
  return known ?? formatTime(now);
}

const condition = (
  type: string,
  status: 'True' | 'False',
  [reason, message]: readonly [string, string],
  now: Instant,
): JsonObject => ({
  type,
  status,
  lastProbeTime: formatTime(now),
  lastTransitionTime: formatTime(now),
  reason,
  message,
});

function suspension(job: KubeObject, spec: JobSpec, notes: Note[], now: Instant): readonly Json[] {
  const conditions = conditionsOf(job);
  if (isConditionTrue(job, 'Suspended') === spec.isSuspended) return conditions;
  const text = spec.isSuspended
    ? (['JobSuspended', 'Job suspended'] as const)
    : (['JobResumed', 'Job resumed'] as const);
  notes.push(normal(spec.isSuspended ? 'Suspended' : 'Resumed', text[1]));
  const next = condition('Suspended', spec.isSuspended ? 'True' : 'False', text, now);
  return [...removeCondition(conditions, 'Suspended'), next];
}

type Ending = JobState & { readonly end: JobConclusion };

/** The target is declared at once; the end when nothing runs and everything is counted. */
function finish(
  job: KubeObject,
  { end, count, lost }: Ending,
  notes: Note[],
  now: Instant,
): readonly JsonObject[] {
  const text = [end.reason, end.message] as const;
  const found: JsonObject[] = [];
  if (declaredEnd(job) === undefined) {
    found.push(
      condition(end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', 'True', text, now),
    );
  }
  const isOver =
    count.active.length - lost <= 0 &&
    lost === 0 &&
    count.terminating === 0 &&
    count.uncounted.succeeded.length === 0 &&
    count.uncounted.failed.length === 0;
  if (!isOver || isDeleting(job)) return found;
  found.push(condition(end.type, 'True', text, now));
  notes.push(
    end.type === 'Complete' ? normal('Completed', 'Job completed') : warning(end.reason, end.message),
  );
  return found;
}
