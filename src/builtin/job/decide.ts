import type { JsonObject } from '#base/json.ts';
import { type Instant } from '#base/time.ts';
import type { Note } from '#builtin/pods/note.ts';
import { factsOf } from '#builtin/pods/pod-facts.ts';
import { rankVictims } from '#builtin/pods/pod-victims.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { deadlineOf, endOf, expiryOf, finishedCondition, type End } from './finish.ts';
import { indexOf, isTracked, jobPod } from './job-pod.ts';
import { retryAt } from './retry-delay.ts';
import { jobStatus } from './status.ts';
import { jobSpec, tally, type JobSpec, type Tally } from './tally.ts';

export type JobDecision = {
  readonly create: readonly KubeObject[];
  readonly remove: readonly KubeObject[];
  readonly status: JsonObject;
  /** Pods that lose their tracking finalizer, once the status is written. */
  readonly strip: readonly KubeObject[];
  readonly notes: readonly Note[];
  /** The job has outlived its time. */
  readonly isExpired: boolean;
  readonly wakeAt: Instant | undefined;
};

/** At most so many pods are made or lost in one go. */
const burst = 500;

/** `pods` are all the pods that the job controls. */
export function decideJob(job: KubeObject, pods: readonly KubeObject[], now: Instant): JobDecision {
  if (finishedCondition(job) !== undefined) return afterwards(job, pods, now);
  const spec = jobSpec(job);
  const count = tally(job, spec, pods);
  const end = endOf(job, spec, count, now);
  const work = workOf(job, spec, { count, pods, end }, now);
  const { status, notes } = jobStatus(job, { spec, count, end, lost: work.remove.length }, now);
  const wakeAt = earliest(
    [work.wakeAt, end === undefined && !spec.isSuspended ? deadlineOf(job) : undefined],
    now,
  );
  return { ...work, status, notes, strip: count.strip, isExpired: false, wakeAt };
}

/** A finished job only lets go of its pods, and goes itself in time. */
function afterwards(job: KubeObject, pods: readonly KubeObject[], now: Instant): JobDecision {
  const expiry = expiryOf(job);
  const isExpired = expiry !== undefined && expiry <= now;
  return {
    create: [],
    remove: [],
    notes: [],
    status: (job['status'] ?? {}) as JsonObject,
    strip: pods.filter(isTracked),
    isExpired,
    wakeAt: isExpired ? undefined : expiry,
  };
}

function earliest(times: readonly (Instant | undefined)[], now: Instant): Instant | undefined {
  let first: Instant | undefined;
  for (const time of times)
    if (time !== undefined && time > now && (first === undefined || time < first)) first = time;
  return first;
}

type Situation = {
  readonly count: Tally;
  readonly pods: readonly KubeObject[];
  readonly end: End | undefined;
};
type Work = Pick<JobDecision, 'create' | 'remove' | 'wakeAt'>;

const noWork: Work = { create: [], remove: [], wakeAt: undefined };

function workOf(job: KubeObject, spec: JobSpec, { count, pods, end }: Situation, now: Instant): Work {
  if (isDeleting(job)) return noWork;
  if (end !== undefined || spec.isSuspended) return { ...noWork, remove: count.active };
  const surplus = surplusOf(spec, count, now);
  if (surplus.length > 0) return { ...noWork, remove: surplus.slice(0, burst) };
  const going = spec.replacesOnlyFailed ? count.terminating : 0;
  const missing = wantedActive(spec, count) - going - count.active.length;
  if (missing <= 0) return noWork;
  const retry = spec.backoffLimitPerIndex === undefined ? retryAt(pods) : undefined;
  if (retry !== undefined && retry > now) return { ...noWork, wakeAt: retry };
  return { ...noWork, create: newPods(job, spec, { count, pods }, Math.min(missing, burst)) };
}

function wantedActive(spec: JobSpec, count: Tally): number {
  const { completions, parallelism } = spec;
  if (completions === undefined)
    return count.succeeded > 0 ? Math.min(count.active.length, parallelism) : parallelism;
  return Math.min(parallelism, completions - count.succeeded - count.failedIndexes.size);
}

/** Active pods that should not be: doubles of an index, indexes that are done, and those beyond the wish. */
function surplusOf(spec: JobSpec, count: Tally, now: Instant): readonly KubeObject[] {
  const useless = spec.isIndexed ? uselessPods(spec, count) : [];
  const excess = count.active.length - wantedActive(spec, count) - useless.length;
  if (excess <= 0) return useless;
  const dropped = new Set(useless);
  const rest = count.active.filter((pod) => !dropped.has(pod));
  return [...useless, ...rankVictims(rest, rest, now).slice(0, excess)];
}

function uselessPods(spec: JobSpec, count: Tally): readonly KubeObject[] {
  const taken = new Set<number>();
  return count.active
    .toSorted((left, right) => factsOf(left).created - factsOf(right).created)
    .filter((pod) => {
      const index = indexOf(pod);
      if (index === undefined || index >= (spec.completions ?? 0)) return true;
      if (taken.has(index) || count.completedIndexes.has(index) || count.failedIndexes.has(index))
        return true;
      taken.add(index);
      return false;
    });
}

function newPods(
  job: KubeObject,
  spec: JobSpec,
  { count, pods }: Pick<Situation, 'count' | 'pods'>,
  missing: number,
): readonly KubeObject[] {
  if (!spec.isIndexed) return Array.from({ length: missing }, () => jobPod(job, undefined));
  const busy = spec.replacesOnlyFailed ? pods.filter((pod) => isLiving(pod)) : count.active;
  const taken = new Set(busy.map(indexOf));
  const made: KubeObject[] = [];
  for (let index = 0; index < (spec.completions ?? 0) && made.length < missing; index += 1) {
    if (taken.has(index) || count.completedIndexes.has(index) || count.failedIndexes.has(index)) continue;
    const failures = spec.backoffLimitPerIndex === undefined ? undefined : (count.failuresOf.get(index) ?? 0);
    made.push(jobPod(job, { index, failures }));
  }
  return made;
}

const isLiving = (pod: KubeObject): boolean => {
  const { phase } = factsOf(pod);
  return phase !== 'Succeeded' && phase !== 'Failed';
};
