import { reconcileObject } from '#loop/reconcile-object.ts';
import { equalJson, numberAt } from '#base/json.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { superfluousRevisions } from '#kube/workload/revisions.ts';
import { around, claimOwned, ownedSource, ownerIndexes, ownSource } from '#loop/owned/owned.ts';
import { PodsRefused, PodWriter, type PodOwner, type PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { daemonSets, nodes, pods, revisions } from '#loop/owned/resources.ts';
import { ensureRevision } from '#loop/owned/revision-writer.ts';
import { untilSeen } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { removeObject, writeStatus } from '#loop/owned/write.ts';
import { labelsOf, type KubeObject } from '#kube/object.ts';
import { hashLabel } from './daemon-pod.ts';
import { decideDaemonSet, type DaemonDecision } from './decide.ts';

/** Keeps one pod of each daemon set on every node that it fits. */
export function daemonSetController(deps: WorkloadDeps): Controller {
  const work = new DaemonWork(deps);
  return runController({
    name: 'daemonset',
    ...loopParts(deps),
    sources: [
      ownSource(work.sets),
      ownedSource(work.pods, 'DaemonSet', work.sets, work.expectations),
      ownedSource(work.revisions, 'DaemonSet', work.sets),
      { informer: work.nodes, keysOf: (delta) => work.afterNode(delta) },
    ],
    reconcile: reconcileObject(work.sets, {
      reconcile: (set, signal) => work.reconcile(set, signal),
      forget: (key) => work.expectations.forget(key),
    }),
  });
}

class DaemonWork {
  readonly sets: Informer;
  readonly pods: Informer;
  readonly revisions: Informer;
  readonly nodes: Informer;
  readonly expectations: Expectations;
  readonly #deps: WorkloadDeps;
  readonly #events: EventRecorder;
  readonly #writer: PodWriter;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.sets = deps.informers.informer({ resource: daemonSets });
    this.pods = deps.informers.informer({ resource: pods, indexes: ownerIndexes });
    this.revisions = deps.informers.informer({ resource: revisions, indexes: ownerIndexes });
    this.nodes = deps.informers.informer({ resource: nodes });
    this.expectations = createExpectations(deps.clock);
    this.#events = deps.recorder('daemonset-controller');
    this.#writer = new PodWriter({
      client: deps.client,
      events: this.#events,
      expectations: this.expectations,
    });
  }

  /** Only labels and the spec of a node matter; heartbeats do not. */
  afterNode(delta: Delta): readonly string[] {
    const isSame =
      delta.type === 'updated' &&
      equalJson(labelsOf(delta.object), labelsOf(delta.old)) &&
      equalJson(delta.object['spec'], delta.old['spec']);
    return isSame ? [] : this.sets.list().map(keyOf);
  }

  async reconcile(set: KubeObject, signal: AbortSignal): Promise<Next> {
    const key = keyOf(set);
    const { client, clock } = this.#deps;
    // Checked before the cache is read: events that arrive during this pass are not in what it read.
    const isUpToDate = this.expectations.pending(key) === 0;
    const known = await this.#owned(set, this.revisions, signal);
    const own = await this.#owned(set, this.pods, signal);
    const wanted = { workload: set, resource: daemonSets, known, hashLabel };
    const revision = await ensureRevision(client, wanted, signal);
    if (revision === undefined) return settled;
    const hash = labelsOf(revision)[hashLabel] ?? '';
    const decision = decideDaemonSet({ set, nodes: this.nodes.list(), pods: own, hash }, clock.now());
    const trouble = isUpToDate ? await this.#act({ key, owner: set }, decision, signal) : undefined;
    await writeStatus(client, daemonSets, { object: set, status: decision.status }, signal);
    await this.#truncate(set, { known, own, hash }, signal);
    if (trouble !== undefined) throw new PodsRefused(trouble);
    return untilSeen(clock, decision.wakeAt, this.expectations.pending(key));
  }

  async #act(
    whose: PodOwner,
    { create, remove, notes }: DaemonDecision,
    signal: AbortSignal,
  ): Promise<PodWriteFailure | undefined> {
    for (const note of notes) this.#events.record(whose.owner, note);
    const failed = await this.#writer.create(whose, create, signal);
    return (await this.#writer.remove(whose, remove, signal)) ?? failed;
  }

  #owned(set: KubeObject, informer: Informer, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const resources = { owner: daemonSets, owned: informer.resource };
    return claimOwned(this.#deps.client, resources, { owner: set, objects: around(informer, set) }, signal);
  }

  async #truncate(
    set: KubeObject,
    found: {
      readonly known: readonly KubeObject[];
      readonly own: readonly KubeObject[];
      readonly hash: string;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const limit = numberAt(set, 'spec', 'revisionHistoryLimit') ?? 10;
    const live = new Set([found.hash, ...found.own.map((pod) => factsOf(pod).labels[hashLabel] ?? '')]);
    const isLive = (revision: KubeObject): boolean => live.has(labelsOf(revision)[hashLabel] ?? '');
    for (const revision of superfluousRevisions(found.known, isLive, limit)) {
      await removeObject(this.#deps.client, revisions, revision, signal);
    }
  }
}
