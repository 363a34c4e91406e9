import { reconcileObject } from '#loop/reconcile-object.ts';
import { numberAt, textAt } from '#base/json.ts';
import { millis } from '#base/time.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import { createExpectations, type Expectations } from '#loop/expectations.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { settled, wake, type Next } from '#loop/work-queue.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { superfluousRevisions, templateOf } from '#kube/workload/revisions.ts';
import { around, claimOwned, ownedSource, ownerIndexes, ownSource } from '#loop/owned/owned.ts';
import { claims, pods, revisions, statefulSets } from '#loop/owned/resources.ts';
import { ensureRevision } from '#loop/owned/revision-writer.ts';
import { untilSeen } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { removeObject, writeStatus } from '#loop/owned/write.ts';
import { isDeleting, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { decideStatefulSet, type StatefulAction, type StatefulSetSnapshot } from './decide.ts';
import { claimTemplates, ordinalOf } from '#kube/workload/stateful-identity.ts';
import type { Revision } from './identity.ts';
import { perform } from './perform.ts';
import { podRevision } from './replicas.ts';

/** The label of a revision's hash. */
const hashLabel = 'controller.kubernetes.io/hash';
/** After this time the cache is up to date. */
const soon = millis(50);

/** Keeps the pods of StatefulSets, each with its own name and claims. */
export function statefulSetController(deps: WorkloadDeps): Controller {
  const work = new StatefulWork(deps);
  return runController({
    name: 'statefulset',
    ...loopParts(deps),
    sources: [
      ownSource(work.sets),
      ownedSource(work.pods, 'StatefulSet', work.sets, work.expectations),
      ownedSource(work.revisions, 'StatefulSet', work.sets),
      { informer: work.claims, keysOf: (delta) => work.afterClaim(delta) },
    ],
    reconcile: reconcileObject(work.sets, {
      reconcile: (set, signal) => work.reconcile(set, signal),
      forget: (key) => work.expectations.forget(key),
    }),
  });
}

class StatefulWork {
  readonly sets: Informer;
  readonly pods: Informer;
  readonly revisions: Informer;
  readonly claims: Informer;
  readonly expectations: Expectations;
  readonly #deps: WorkloadDeps;
  readonly #events: EventRecorder;

  constructor(deps: WorkloadDeps) {
    this.#deps = deps;
    this.sets = deps.informers.informer({ resource: statefulSets });
    this.pods = deps.informers.informer({ resource: pods, indexes: ownerIndexes });
    this.revisions = deps.informers.informer({ resource: revisions, indexes: ownerIndexes });
    this.claims = deps.informers.informer({ resource: claims });
    this.expectations = createExpectations(deps.clock);
    this.#events = deps.recorder('statefulset-controller');
  }

  async reconcile(set: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const key = keyOf(set);
    // Checked before the cache is read: events that arrive during this pass are not in what it read.
    const isUpToDate = this.expectations.pending(key) === 0;
    const known = await this.#owned(set, this.revisions, signal);
    const own = (await this.#owned(set, this.pods, signal)).filter(
      (pod) => ordinalOf(set, pod) !== undefined,
    );
    const wanted = { workload: set, resource: statefulSets, known, hashLabel };
    const update = await ensureRevision(client, wanted, signal);
    if (update === undefined) return settled;
    const snapshot = this.#snapshot(set, own, { known, update });
    const decision = decideStatefulSet(snapshot, clock.now());
    const isDone = !isUpToDate || (await this.#act(key, set, decision.actions, signal));
    await writeStatus(client, statefulSets, { object: set, status: decision.status }, signal);
    await this.#truncate(snapshot, known, signal);
    if (!isDone) return wake(soon);
    return untilSeen(clock, decision.wakeAt, this.expectations.pending(key));
  }

  /**
   * A pod that was deleted and is not seen to go yet is not deleted twice. False: the cache was behind, and
   * what is left has to wait.
   */
  async #act(
    key: string,
    set: KubeObject,
    actions: readonly StatefulAction[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const deps = { client: this.#deps.client, events: this.#events };
    for (const action of actions) {
      if (action.type === 'delete') this.expectations.expectDeletions(key, [uidOf(action.pod)]);
      try {
        if (!(await perform(deps, set, action, signal))) return false;
      } catch (error) {
        this.expectations.forget(key);
        throw error;
      }
      if (action.type === 'delete' && !this.#isAlive(action.pod)) {
        this.expectations.deletionSeen(key, uidOf(action.pod));
      }
    }
    return true;
  }

  /** Whether the cache still shows the pod as one that stays. */
  #isAlive(pod: KubeObject): boolean {
    const known = this.pods.get(namespaceOf(pod), nameOf(pod));
    return known !== undefined && uidOf(known) === uidOf(pod) && !isDeleting(known);
  }

  /** A pod can be created when its old claim is deleted. */
  afterClaim({ type, object }: Delta): readonly string[] {
    if (type !== 'deleted') return [];
    const name = nameOf(object);
    const isTheirs = (set: KubeObject): boolean =>
      claimTemplates(set).some((template) =>
        name.startsWith(`${textAt(template, 'metadata', 'name') ?? ''}-${nameOf(set)}-`),
      );
    return this.sets.list(namespaceOf(object)).filter(isTheirs).map(keyOf);
  }

  #owned(set: KubeObject, informer: Informer, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const resources = { owner: statefulSets, owned: informer.resource };
    return claimOwned(this.#deps.client, resources, { owner: set, objects: around(informer, set) }, signal);
  }

  #snapshot(
    set: KubeObject,
    own: readonly KubeObject[],
    { known, update }: { readonly known: readonly KubeObject[]; readonly update: KubeObject },
  ): StatefulSetSnapshot {
    const name = textAt(set, 'status', 'currentRevision') ?? '';
    const current = known.find((each) => nameOf(each) === name) ?? update;
    const namespace = namespaceOf(set);
    return {
      set,
      pods: own,
      current: revisionOf(current),
      update: revisionOf(update),
      claim: (claim) => this.claims.get(namespace, claim),
    };
  }

  /** Old revisions that no pod and no status refers to go, beyond the limit of the history. */
  async #truncate(
    snapshot: StatefulSetSnapshot,
    known: readonly KubeObject[],
    signal: AbortSignal,
  ): Promise<void> {
    const limit = numberAt(snapshot.set, 'spec', 'revisionHistoryLimit') ?? 10;
    const live = new Set([snapshot.current.name, snapshot.update.name]);
    for (const pod of snapshot.pods) live.add(podRevision(factsOf(pod)));
    const old = superfluousRevisions(known, (revision) => live.has(nameOf(revision)), limit);
    for (const revision of old) await removeObject(this.#deps.client, revisions, revision, signal);
  }
}

const revisionOf = (revision: KubeObject): Revision => ({
  name: nameOf(revision),
  template: templateOf(revision),
});
