import { reconcileObject } from '#loop/reconcile-object.ts';
import { listAt } from '#base/json.ts';
import { runController, type Controller, type Source } from '#loop/controller.ts';
import { keyOf, splitKey, type Delta } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { around, claimOwned, ownedSource, ownerIndexes } from '#loop/owned/owned.ts';
import { PodsRefused, PodWriter, type PodOwner, type PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { jobs, pods } from '#loop/owned/resources.ts';
import { untilSeen } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { Refused, writeStatus } from '#loop/owned/write.ts';
import { metaOf, namespaceOf, objectKeyOf, uidOf, type KubeObject } from '#kube/object.ts';
import { decideJob, type JobDecision } from './decide.ts';
import { isTracked, trackingFinalizer } from './job-pod.ts';

/** Marks keys of pods whose job is gone. */
const strayMark = 'stray pod ';
const parallelStrips = 32;

/** Runs pods to completion. */
export function jobController(deps: WorkloadDeps): Controller {
  const work = new JobWork(deps);
  const reconcileJob = reconcileObject(work.jobs, {
    reconcile: (job, signal) => work.reconcile(job, signal),
    forget: (key) => work.expectations.forget(key),
  });
  return runController({
    name: 'job',
    ...loopParts(deps),
    sources: [
      work.jobSource(),
      ownedSource(work.pods, 'Job', work.jobs, work.expectations),
      work.straySource(),
    ],
    reconcile: (key, signal) =>
      key.startsWith(strayMark)
        ? work.release(key.slice(strayMark.length), signal)
        : reconcileJob(key, signal),
  });
}

class JobWork {
  readonly jobs: Informer;
  readonly pods: Informer;
  readonly expectations: Expectations;
  readonly #deps: WorkloadDeps;
  readonly #events: EventRecorder;
  readonly #writer: PodWriter;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.jobs = deps.informers.informer({ resource: jobs, indexes: ownerIndexes });
    this.pods = deps.informers.informer({ resource: pods, indexes: ownerIndexes });
    this.expectations = createExpectations(deps.clock);
    this.#events = deps.recorder('job-controller');
    this.#writer = new PodWriter({
      client: deps.client,
      events: this.#events,
      expectations: this.expectations,
    });
  }

  /** The pods of a deleted Job are released one by one. */
  jobSource(): Source {
    return {
      informer: this.jobs,
      keysOf: ({ type, object }: Delta) => {
        const left = type === 'deleted' ? this.pods.byIndex('controller', uidOf(object)) : [];
        return [keyOf(object), ...left.filter(isTracked).map((pod) => strayMark + keyOf(pod))];
      },
    };
  }

  /** Only this controller removes the finalizer of a pod whose Job is gone. */
  straySource(): Source {
    const isStray = (pod: KubeObject): boolean => {
      if (!isTracked(pod)) return false;
      const owner = controllerOf(pod);
      const job = owner && this.jobs.get(namespaceOf(pod), owner.name);
      return owner === undefined || (owner.kind === 'Job' && (job === undefined || uidOf(job) !== owner.uid));
    };
    return {
      informer: this.pods,
      keysOf: ({ type, object }: Delta) =>
        type !== 'deleted' && isStray(object) ? [strayMark + keyOf(object)] : [],
    };
  }

  async release(key: string, signal: AbortSignal): Promise<Next> {
    const { namespace, name } = splitKey(key);
    const pod = this.pods.get(namespace, name);
    const owner = pod && controllerOf(pod);
    if (pod === undefined || !isTracked(pod)) return settled;
    if (owner?.kind === 'Job') {
      // The cache of jobs may be older than that of pods: the server is read.
      const found = await this.#deps.client.get(jobs, { namespace, name: owner.name }, signal);
      if (found.type === 'ok' && uidOf(found.object) === owner.uid) return settled;
    }
    await this.#strip(pod, signal);
    return settled;
  }

  async reconcile(job: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const key = keyOf(job);
    if (isManagedElsewhere(job)) return settled;
    const resources = { owner: jobs, owned: pods };
    // Checked before the cache is read: events that arrive during this pass are not in what it read.
    const isUpToDate = this.expectations.pending(key) === 0;
    const objects = around(this.pods, job);
    const own = await claimOwned(client, resources, { owner: job, objects }, signal);
    const decision = decideJob(job, own, clock.now());
    if (decision.isExpired) return this.#expire(job, signal);
    const trouble = isUpToDate ? await this.#act({ key, owner: job }, decision, signal) : undefined;
    const isWritten = await writeStatus(client, jobs, { object: job, status: decision.status }, signal);
    if (!isWritten) return settled;
    for (const note of decision.notes) this.#events.record(job, note);
    await this.#stripAll(decision.strip, signal);
    if (trouble !== undefined) throw new PodsRefused(trouble);
    return untilSeen(clock, decision.wakeAt, this.expectations.pending(key));
  }

  async #act(
    whose: PodOwner,
    { create, remove, isForgiving }: JobDecision,
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    if (remove.length > 0) {
      const victims = isForgiving ? await this.#stripAll(remove, signal) : remove;
      return this.#writer.remove(whose, victims, signal);
    }
    return this.#writer.create(whose, create, signal);
  }

  async #expire(job: KubeObject, signal: AbortSignal): Promise<Next> {
    const options = { propagationPolicy: 'Foreground', preconditions: { uid: uidOf(job) } } as const;
    const outcome = await this.#deps.client.remove(jobs, objectKeyOf(job), signal, options);
    if (outcome.type === 'ok' || outcome.type === 'not-found' || outcome.type === 'conflict') return settled;
    throw new Refused(outcome);
  }

  /** Returns the pods without the tracking finalizer; the others have changed, and an event will follow. */
  async #stripAll(pods: readonly KubeObject[], signal: AbortSignal): Promise<readonly KubeObject[]> {
    const free: KubeObject[] = [];
    for (let at = 0; at < pods.length; at += parallelStrips) {
      const some = pods.slice(at, at + parallelStrips);
      const isFree = await Promise.all(some.map((pod) => this.#strip(pod, signal)));
      free.push(...some.filter((_, place) => isFree[place]));
    }
    return free;
  }

  async #strip(pod: KubeObject, signal: AbortSignal): Promise<boolean> {
    if (!isTracked(pod)) return true;
    const finalizers = listAt(metaOf(pod), 'finalizers').filter((each) => each !== trackingFinalizer);
    // The resource version makes sure that no other finalizer is lost.
    const { uid, resourceVersion } = metaOf(pod);
    const body = { metadata: { uid: uid ?? '', resourceVersion: resourceVersion ?? '', finalizers } };
    const outcome = await this.#deps.client.patch(pods, objectKeyOf(pod), { type: 'merge', body }, signal);
    const isFine = outcome.type === 'ok' || outcome.type === 'not-found' || outcome.type === 'conflict';
    if (!isFine) throw new Refused(outcome);
    return outcome.type !== 'conflict';
  }
}

const isManagedElsewhere = (job: KubeObject): boolean => {
  const manager = (job['spec'] as KubeObject | undefined)?.['managedBy'];
  return manager !== undefined && manager !== 'kubernetes.io/job-controller';
};
