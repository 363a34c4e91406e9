import { at, isObject, listAt, numberAt, textAt, type Json } from '#base/json.ts';
import { later, parseTime, seconds, type Instant } from '#base/time.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';
import { parseIndexes } from './indexes.ts';
import type { JobSpec, Tally } from './tally.ts';

/** How a job ends: first the target is declared, and when every pod is gone the end. */
export type JobConclusion = {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
};

const failed = (reason: string, message: string): JobConclusion => ({ type: 'Failed', reason, message });
const complete = (reason: string, message: string): JobConclusion => ({ type: 'Complete', reason, message });

const targets = { SuccessCriteriaMet: 'Complete', FailureTarget: 'Failed' } as const;

/** What a status has declared already. */
export function declaredEnd(job: KubeObject): JobConclusion | undefined {
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const found = trueCondition(job, type);
    if (found === undefined) continue;
    const reason = textAt(found, 'reason') ?? '';
    return { type: targets[type], reason, message: textAt(found, 'message') ?? '' };
  }
  return undefined;
}

export const finishedCondition = (job: KubeObject): Json | undefined =>
  trueCondition(job, 'Complete') ?? trueCondition(job, 'Failed');

const trueCondition = (job: KubeObject, type: string): Json | undefined =>
  listAt(job, 'status', 'conditions').find(
    (each) => textAt(each, 'type') === type && textAt(each, 'status') === 'True',
  );

/** Whether, and how, the job ends now: the first reason that holds. */
export function endOf(job: KubeObject, spec: JobSpec, count: Tally, now: Instant): JobConclusion | undefined {
  return declaredEnd(job) ?? failureOf(job, spec, count, now) ?? successOf(job, spec, count);
}

function failureOf(job: KubeObject, spec: JobSpec, count: Tally, now: Instant): JobConclusion | undefined {
  if (count.fatal !== undefined) return failed('PodFailurePolicy', count.fatal);
  if (count.failed > spec.backoffLimit || hasRestartedTooOften(job, spec, count)) {
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadline = deadlineOf(job);
  if (deadline !== undefined && !spec.isSuspended && now >= deadline) {
    return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  return indexFailure(spec, count);
}

function indexFailure(spec: JobSpec, { failedIndexes, completedIndexes }: Tally): JobConclusion | undefined {
  if (failedIndexes.size === 0) return undefined;
  if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
    return failed(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  }
  const isOver = failedIndexes.size + completedIndexes.size >= (spec.completions ?? 0);
  return isOver ? failed('FailedIndexes', 'Job has failed indexes') : undefined;
}

/** Containers that restart in place use up the back-off limit as well. */
function hasRestartedTooOften(job: KubeObject, spec: JobSpec, { active }: Tally): boolean {
  if (textAt(job, 'spec', 'template', 'spec', 'restartPolicy') !== 'OnFailure') return false;
  let restarts = 0;
  for (const pod of active) {
    const { phase } = factsOf(pod);
    if (phase !== 'Running' && phase !== 'Pending') continue;
    for (const key of ['initContainerStatuses', 'containerStatuses']) {
      for (const status of listAt(pod, 'status', key)) restarts += numberAt(status, 'restartCount') ?? 0;
    }
  }
  return spec.backoffLimit === 0 ? restarts > 0 : restarts >= spec.backoffLimit;
}

export function deadlineOf(job: KubeObject): Instant | undefined {
  const span = numberAt(job, 'spec', 'activeDeadlineSeconds');
  const start = parseTime(textAt(job, 'status', 'startTime') ?? '');
  return span === undefined || start === undefined ? undefined : later(start, seconds(span));
}

function successOf(job: KubeObject, spec: JobSpec, count: Tally): JobConclusion | undefined {
  const policy = successPolicyRule(job, spec, count);
  if (policy !== undefined) return complete('SuccessPolicy', `Matched rules at index ${policy}`);
  const isDone =
    spec.completions === undefined
      ? count.succeeded > 0 && count.active.length === 0
      : count.succeeded >= spec.completions;
  return isDone ? complete('CompletionsReached', 'Reached expected number of succeeded pods') : undefined;
}

function successPolicyRule(job: KubeObject, spec: JobSpec, count: Tally): number | undefined {
  const rules = listAt(job, 'spec', 'successPolicy', 'rules');
  const found = rules.findIndex((rule) => {
    if (!isObject(rule)) return false;
    const wanted = textAt(rule, 'succeededIndexes');
    const least = numberAt(rule, 'succeededCount');
    if (wanted === undefined) return least !== undefined && count.completedIndexes.size >= least;
    const meant = parseIndexes(wanted, spec.completions ?? 0);
    const met = [...meant].filter((index) => count.completedIndexes.has(index)).length;
    return met >= (least ?? meant.size);
  });
  return found < 0 ? undefined : found;
}

/** When a finished job shall vanish; undefined when it stays. */
export function expiryOf(job: KubeObject): Instant | undefined {
  const span = numberAt(job, 'spec', 'ttlSecondsAfterFinished');
  const since = parseTime(textAt(finishedCondition(job), 'lastTransitionTime') ?? '');
  if (span === undefined || since === undefined || at(job, 'metadata', 'deletionTimestamp') !== undefined)
    return undefined;
  return later(since, seconds(span));
}
