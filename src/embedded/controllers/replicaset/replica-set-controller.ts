import { reconcileObject } from '#loop/reconcile-object.ts';
import { keyOf } from '#loop/delta.ts';
import { objectAt } from '#base/json.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { type Next } from '#loop/work-queue.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { factsOf, isActive } from '#kube/workload/pod-facts.ts';
import { podFromTemplate } from '#kube/workload/pod-from-template.ts';
import { around, claimOwned, ownedSource, ownerIndexes, ownSource } from '#loop/owned/owned.ts';
import { PodsRefused, PodWriter, type PodOwner, type PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { pods, replicaSets } from '#loop/owned/resources.ts';
import { untilSeen } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { writeStatus } from '#loop/owned/write.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { decideReplicaSet, replicaSetStatus, type ReplicaSetDecision } from './decide.ts';

/** Keeps the wanted number of pods of each ReplicaSet. */
export function replicaSetController(deps: WorkloadDeps): Controller {
  const work = new ReplicaSetWork(deps);
  return runController({
    name: 'replicaset',
    ...loopParts(deps),
    sources: [ownSource(work.sets), ownedSource(work.pods, 'ReplicaSet', work.sets, work.expectations)],
    reconcile: reconcileObject(work.sets, {
      reconcile: (set, signal) => work.reconcile(set, signal),
      forget: (key) => work.expectations.forget(key),
    }),
  });
}

class ReplicaSetWork {
  readonly sets: Informer;
  readonly pods: Informer;
  readonly expectations: Expectations;
  readonly #deps: WorkloadDeps;
  readonly #writer: PodWriter;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.sets = deps.informers.informer({ resource: replicaSets, indexes: ownerIndexes });
    this.pods = deps.informers.informer({ resource: pods, indexes: ownerIndexes });
    this.expectations = createExpectations(deps.clock);
    const events = deps.recorder('replicaset-controller');
    this.#writer = new PodWriter({ client: deps.client, events, expectations: this.expectations });
  }

  async reconcile(set: KubeObject, signal: AbortSignal): Promise<Next> {
    const key = keyOf(set);
    const { client, clock } = this.#deps;
    // Checked before the cache is read: events that arrive during this pass are not in what it read.
    const isUpToDate = this.expectations.pending(key) === 0;
    const objects = around(this.pods, set).filter((pod) => isActive(factsOf(pod)));
    const resources = { owner: replicaSets, owned: pods };
    const active = await claimOwned(client, resources, { owner: set, objects }, signal);
    const decision = decideReplicaSet({ set, active, family: () => this.#familyOf(set) }, clock.now());
    const trouble = isUpToDate ? await this.#act({ key, owner: set }, decision, signal) : undefined;
    const status = replicaSetStatus(set, active, trouble, clock.now());
    await writeStatus(client, replicaSets, { object: set, status }, signal);
    if (trouble !== undefined) throw new PodsRefused(trouble);
    return untilSeen(clock, decision.wakeAt, this.expectations.pending(key));
  }

  async #act(
    whose: PodOwner,
    { create, remove }: ReplicaSetDecision,
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    if (remove.length > 0) return this.#writer.remove(whose, remove, signal);
    if (create === 0) return undefined;
    const pod = podFromTemplate(whose.owner, objectAt(whose.owner, 'spec', 'template'));
    return this.#writer.create(
      whose,
      Array.from({ length: create }, () => pod),
      signal,
    );
  }

  /** Pods of all sets that share an owner with this one. */
  *#familyOf(set: KubeObject): Generator<KubeObject> {
    const owner = controllerOf(set)?.uid;
    const family = owner === undefined ? [set] : this.sets.byIndex('controller', owner);
    for (const each of family) yield* this.pods.byIndex('controller', uidOf(each));
  }
}
