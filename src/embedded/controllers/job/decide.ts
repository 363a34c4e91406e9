import type { JsonObject } from '#base/json.ts';
import { type Instant } from '#base/time.ts';
import type { Note } from '#loop/note.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { rankVictims } from '#kube/workload/pod-victims.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { deadlineOf, endOf, expiryOf, finishedCondition, type JobConclusion } from './finish.ts';
import { indexOf, isTracked, jobPod } from './job-pod.ts';
import { retryAt } from './retry-delay.ts';
import { jobStatus } from './status.ts';
import { jobSpec, tally, type JobSpec, type Tally } from './tally.ts';

export type JobDecision = {
  readonly create: readonly KubeObject[];
  readonly remove: readonly KubeObject[];
  /** The removed pods have not failed, they are not wanted: they lose their tracking finalizer first. */
  readonly isForgiving: boolean;
  readonly status: JsonObject;
  /** Pods that lose their tracking finalizer, once the status is written. */
  readonly strip: readonly KubeObject[];
  readonly notes: readonly Note[];
  /** ttlSecondsAfterFinished has passed. */
  readonly isExpired: boolean;
  readonly wakeAt: Instant | undefined;
};

/** At most this many pods are created or deleted per pass. */
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

/** A finished Job only releases its pods, and is deleted after its TTL. */
function afterwards(job: KubeObject, pods: readonly KubeObject[], now: Instant): JobDecision {
  const expiry = expiryOf(job);
  const isExpired = expiry !== undefined && expiry <= now;
  return {
    create: [],
    remove: [],
    isForgiving: false,
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
  readonly end: JobConclusion | undefined;
};
type Work = Pick<JobDecision, 'create' | 'remove' | 'isForgiving' | 'wakeAt'>;

const noWork: Work = { create: [], remove: [], isForgiving: false, wakeAt: undefined };
const unwanted = (remove: readonly KubeObject[]): Work => ({ ...noWork, remove, isForgiving: true });

function workOf(job: KubeObject, spec: JobSpec, { count, pods, end }: Situation, now: Instant): Work {
  if (isDeleting(job)) return noWork;
  if (end !== undefined) return { ...noWork, remove: count.active };
  if (spec.isSuspended) return unwanted(count.active);
  const surplus = surplusOf(spec, count, now);
  if (surplus.length > 0) return unwanted(surplus.slice(0, burst));
  const going = spec.replacesOnlyFailed ? count.terminating : 0;
  const missing = wantedActive(spec, count) - going - count.active.length;
  if (missing <= 0) return noWork;
  if (spec.isIndexed) return newIndexes(job, spec, { count, pods, missing: Math.min(missing, burst) }, now);
  const retry = retryAt(pods);
  if (retry !== undefined && retry > now) return { ...noWork, wakeAt: retry };
  const pod = jobPod(job, undefined);
  return { ...noWork, create: Array.from({ length: Math.min(missing, burst) }, () => pod) };
}

function wantedActive(spec: JobSpec, count: Tally): number {
  const { completions, parallelism } = spec;
  if (completions === undefined)
    return count.succeeded > 0 ? Math.min(count.active.length, parallelism) : parallelism;
  return Math.min(parallelism, completions - count.succeeded - count.failedIndexes.size);
}

/** Active pods that should not be: duplicates of an index, completed indexes, and those above the wanted number. */
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

type Gap = Pick<Situation, 'count' | 'pods'> & { readonly missing: number };

/** The lowest free indexes. Where each has its own limit each waits for itself, otherwise all together. */
function newIndexes(job: KubeObject, spec: JobSpec, gap: Gap, now: Instant): Work {
  const { count, pods, missing } = gap;
  const hasOwnLimit = spec.backoffLimitPerIndex !== undefined;
  const together = hasOwnLimit ? undefined : retryAt(pods);
  if (together !== undefined && together > now) return { ...noWork, wakeAt: together };
  const create: KubeObject[] = [];
  const retries: Instant[] = [];
  for (const index of freeIndexes(spec, gap)) {
    const failures = hasOwnLimit ? (count.failuresOf.get(index) ?? 0) : undefined;
    const retry = failures === undefined ? undefined : retryOfIndex(pods, index, failures);
    if (retry !== undefined && retry > now) retries.push(retry);
    else create.push(jobPod(job, { index, failures }));
    if (create.length >= missing) break;
  }
  return { ...noWork, create, wakeAt: earliest(retries, now) };
}

function* freeIndexes(spec: JobSpec, { count, pods }: Gap): Generator<number> {
  const busy = spec.replacesOnlyFailed ? pods.filter(isLiving) : count.active;
  const taken = new Set(busy.map(indexOf));
  for (let index = 0; index < (spec.completions ?? 0); index += 1) {
    if (!taken.has(index) && !count.completedIndexes.has(index) && !count.failedIndexes.has(index))
      yield index;
  }
}

function retryOfIndex(pods: readonly KubeObject[], index: number, failures: number): Instant | undefined {
  if (failures === 0) return undefined;
  const ofIndex = pods.filter((pod) => indexOf(pod) === index);
  return retryAt(ofIndex, failures);
}

const isLiving = (pod: KubeObject): boolean => {
  const { phase } = factsOf(pod);
  return phase !== 'Succeeded' && phase !== 'Failed';
};
