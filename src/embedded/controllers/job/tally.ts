import { at, listAt, numberAt, textAt } from '#base/json.ts';
import { factsOf, isActive, isFinished, type PodFacts } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';
import { judgeFailure } from './failure-policy.ts';
import { parseIndexes } from './indexes.ts';
import { failuresBefore, indexOf, isTracked } from './job-pod.ts';

export type JobSpec = {
  readonly isIndexed: boolean;
  readonly parallelism: number;
  /** Undefined: any success completes the job. */
  readonly completions: number | undefined;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex: number | undefined;
  readonly maxFailedIndexes: number | undefined;
  readonly isSuspended: boolean;
  /** Pods on their way out still count as running. */
  readonly replacesOnlyFailed: boolean;
};

export const jobSpec = (job: KubeObject): JobSpec => ({
  isIndexed: textAt(job, 'spec', 'completionMode') === 'Indexed',
  parallelism: numberAt(job, 'spec', 'parallelism') ?? 1,
  completions: numberAt(job, 'spec', 'completions'),
  backoffLimit: numberAt(job, 'spec', 'backoffLimit') ?? 6,
  backoffLimitPerIndex: numberAt(job, 'spec', 'backoffLimitPerIndex'),
  maxFailedIndexes: numberAt(job, 'spec', 'maxFailedIndexes'),
  isSuspended: at(job, 'spec', 'suspend') === true,
  replacesOnlyFailed: textAt(job, 'spec', 'podReplacementPolicy') === 'Failed',
});

/** The pods of a job, counted: what the status had, and what has ended since. */
export type Tally = {
  readonly active: readonly KubeObject[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Counters of the status: pods that have lost their finalizer. */
  readonly settled: { readonly succeeded: number; readonly failed: number };
  /** Uids that the status will name, and whose finalizers may then go. */
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  readonly completedIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** How often each index has failed. */
  readonly failuresOf: ReadonlyMap<number, number>;
  /** Pods whose finalizer may go once the status is written. */
  readonly strip: readonly KubeObject[];
  /** Why the failure policy ends the job. */
  readonly fatal: string | undefined;
};

export function tally(job: KubeObject, spec: JobSpec, pods: readonly KubeObject[]): Tally {
  const count = new Count(job, spec);
  const tracked = new Set(pods.filter(isTracked).map((pod) => factsOf(pod).uid));
  count.settle(tracked);
  for (const pod of pods) count.look(pod, factsOf(pod));
  return count.result();
}

class Count {
  readonly #job: KubeObject;
  readonly #spec: JobSpec;
  readonly #settled: { succeeded: number; failed: number };
  readonly #uncounted: { succeeded: string[]; failed: string[] };
  readonly #known: Set<string>;
  readonly #completed: Set<number>;
  readonly #failedIndexes: Set<number>;
  readonly #failuresOf = new Map<number, number>();
  readonly #active: KubeObject[] = [];
  readonly #strip: KubeObject[] = [];
  #ready = 0;
  #terminating = 0;
  #fatal: string | undefined;

  constructor(job: KubeObject, spec: JobSpec) {
    this.#job = job;
    this.#spec = spec;
    const uids = (kind: string): string[] =>
      listAt(job, 'status', 'uncountedTerminatedPods', kind).filter((uid) => typeof uid === 'string');
    this.#settled = {
      succeeded: numberAt(job, 'status', 'succeeded') ?? 0,
      failed: numberAt(job, 'status', 'failed') ?? 0,
    };
    this.#uncounted = { succeeded: uids('succeeded'), failed: uids('failed') };
    this.#known = new Set([...this.#uncounted.succeeded, ...this.#uncounted.failed]);
    const indexes = (key: string): Set<number> =>
      parseIndexes(textAt(job, 'status', key) ?? '', spec.completions ?? 0);
    this.#completed = spec.isIndexed ? indexes('completedIndexes') : new Set();
    this.#failedIndexes = spec.isIndexed ? indexes('failedIndexes') : new Set();
  }

  /** What the status named and has lost its finalizer since is counted for good. */
  settle(tracked: ReadonlySet<string>): void {
    for (const kind of ['succeeded', 'failed'] as const) {
      const open = this.#uncounted[kind].filter((uid) => tracked.has(uid));
      this.#settled[kind] += this.#uncounted[kind].length - open.length;
      this.#uncounted[kind] = open;
    }
  }

  look(pod: KubeObject, facts: PodFacts): void {
    if (isActive(facts)) {
      this.#active.push(pod);
      if (facts.isReady) this.#ready += 1;
    }
    if (facts.isDeleting && !isFinished(facts)) this.#terminating += 1;
    const hasFailed = this.#isFailed(facts);
    if (hasFailed) this.#noteIndexFailure(pod, facts);
    if (!isTracked(pod)) return;
    if (this.#known.has(facts.uid)) this.#strip.push(pod);
    else if (facts.phase === 'Succeeded') this.#succeed(pod, facts);
    else if (hasFailed) this.#fail(pod, facts);
  }

  #isFailed({ phase, isDeleting }: PodFacts): boolean {
    if (phase === 'Failed') return true;
    return isDeleting && phase !== 'Succeeded' && !this.#spec.replacesOnlyFailed;
  }

  #succeed(pod: KubeObject, { uid }: PodFacts): void {
    if (this.#spec.isIndexed) {
      const index = indexOf(pod);
      if (index !== undefined && index < (this.#spec.completions ?? 0)) this.#completed.add(index);
    } else this.#uncounted.succeeded.push(uid);
    this.#strip.push(pod);
  }

  #fail(pod: KubeObject, { uid, phase }: PodFacts): void {
    const verdict = phase === 'Failed' ? judgeFailure(this.#job, pod) : undefined;
    this.#strip.push(pod);
    if (verdict?.type === 'fail job') this.#fatal ??= verdict.message;
    if (verdict?.type === 'ignore') return;
    this.#uncounted.failed.push(uid);
    const index = indexOf(pod);
    if (verdict?.type === 'fail index' && index !== undefined) this.#failedIndexes.add(index);
  }

  #noteIndexFailure(pod: KubeObject, { isDeleting }: PodFacts): void {
    const limit = this.#spec.backoffLimitPerIndex;
    const index = indexOf(pod);
    if (limit === undefined || index === undefined) return;
    // A terminating pod without our finalizer was deleted by this controller.
    if (isDeleting && !isTracked(pod)) return;
    const failures = Math.max(this.#failuresOf.get(index) ?? 0, failuresBefore(pod) + 1);
    this.#failuresOf.set(index, failures);
    if (failures > limit) this.#failedIndexes.add(index);
  }

  result(): Tally {
    const { isIndexed } = this.#spec;
    const settledSucceeded = isIndexed ? this.#completed.size : this.#settled.succeeded;
    for (const index of this.#completed) this.#failedIndexes.delete(index);
    return {
      active: this.#active,
      ready: this.#ready,
      terminating: this.#terminating,
      succeeded: settledSucceeded + this.#uncounted.succeeded.length,
      failed: this.#settled.failed + this.#uncounted.failed.length,
      settled: { succeeded: settledSucceeded, failed: this.#settled.failed },
      uncounted: this.#uncounted,
      completedIndexes: this.#completed,
      failedIndexes: this.#failedIndexes,
      failuresOf: this.#failuresOf,
      strip: this.#strip,
      fatal: this.#fatal,
    };
  }
}
