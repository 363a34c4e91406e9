import { reconcileObject } from '#loop/reconcile-object.ts';
import { isObject, objectAt } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, type Delta } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import type { Informer } from '#loop/informer.ts';
import { wake, type Next } from '#loop/work-queue.ts';
import { controllerOf, type ControllerReference } from '#kube/workload/owner.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { ownSource } from '#loop/owned/owned.ts';
import { selectorOf } from '#loop/owned/selector-index.ts';
import { budgets, deployments, pods, replicaSets, statefulSets } from '#loop/owned/resources.ts';
import { until } from '#loop/owned/until.ts';
import { loopParts, type WorkloadDeps } from '#embedded/controllers/workload/workload-deps.ts';
import { writeStatus } from '#loop/owned/write.ts';
import { matchesLabels } from '#kube/label-selector.ts';
import { namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { decideBudget, needsScale } from './decide.ts';
import { expectedScale, isMeant, scaleOf, type Expected, type FindScale } from './expected-scale.ts';

/** Writes to each PodDisruptionBudget how many of its pods can be evicted. */
export function disruptionController(deps: WorkloadDeps): Controller {
  const work = new BudgetWork(deps);
  return runController({
    name: 'disruption',
    ...loopParts(deps),
    sources: [
      ownSource(work.budgets),
      { informer: work.pods, keysOf: (delta) => work.afterPod(delta) },
      ...[work.sets, work.deployments, work.statefulSets].map((informer) => ({
        informer,
        keysOf: (delta: Delta) => work.afterScale(delta),
      })),
    ],
    reconcile: reconcileObject(work.budgets, {
      reconcile: (budget, signal) => work.reconcile(budget, signal),
    }),
  });
}

const unknownScale: Expected = { scale: { type: 'known', count: 0 }, notes: [] };

class BudgetWork {
  readonly budgets: Informer;
  readonly pods: Informer;
  readonly sets: Informer;
  readonly deployments: Informer;
  readonly statefulSets: Informer;
  readonly #deps: WorkloadDeps;
  readonly #events: EventRecorder;

  constructor(deps: WorkloadDeps) {
    const { informers } = deps;
    this.#deps = deps;
    this.budgets = informers.informer({ resource: budgets });
    this.pods = informers.informer({ resource: pods });
    this.sets = informers.informer({ resource: replicaSets });
    this.deployments = informers.informer({ resource: deployments });
    this.statefulSets = informers.informer({ resource: statefulSets });
    this.#events = deps.recorder('controllermanager');
  }

  afterPod(delta: Delta): readonly string[] {
    const { object } = delta;
    const old = delta.type === 'updated' ? delta.old : undefined;
    if (old !== undefined && isAlike(object, old)) return [];
    return this.budgets
      .list(namespaceOf(object))
      .filter((budget) => selects(budget, object) || (old !== undefined && selects(budget, old)))
      .map(keyOf);
  }

  /** The budgets that depend on the scale of a workload. */
  afterScale(delta: Delta): readonly string[] {
    if (delta.type !== 'updated' || scaleOf(delta.object) === scaleOf(delta.old)) return [];
    return this.budgets.list(namespaceOf(delta.object)).filter(needsScale).map(keyOf);
  }

  async reconcile(budget: KubeObject, signal: AbortSignal): Promise<Next> {
    const { client, clock } = this.#deps;
    const selected = this.pods.list(namespaceOf(budget)).filter((pod) => selects(budget, pod));
    const find: FindScale = (where, controller) => this.#find(where, controller, signal);
    const expected = needsScale(budget) ? await expectedScale(selected, find) : unknownScale;
    const decision = decideBudget({ budget, pods: selected, scale: expected.scale }, clock.now());
    for (const note of [...expected.notes, ...decision.notes]) this.#events.record(budget, note);
    await writeStatus(client, budgets, { object: budget, status: decision.status }, signal);
    if (expected.scale.type === 'unknown') return wake(seconds(5));
    return until(clock, decision.wakeAt);
  }

  async #find(
    namespace: string,
    controller: ControllerReference,
    signal: AbortSignal,
  ): ReturnType<FindScale> {
    const { kind, name } = controller;
    const found =
      kind === 'ReplicaSet'
        ? this.#topOf(namespace, controller)
        : kind === 'StatefulSet'
          ? this.statefulSets.get(namespace, name)
          : undefined;
    if (found !== undefined) return { type: 'known', count: scaleOf(found), uid: uidOf(found) };
    return this.#ask(namespace, controller, signal);
  }

  /** The Deployment of a ReplicaSet, or the ReplicaSet itself when it has none. */
  #topOf(namespace: string, controller: ControllerReference): KubeObject | undefined {
    const set = this.sets.get(namespace, controller.name);
    if (!isMeant(set, controller)) return undefined;
    const owner = controllerOf(set);
    if (owner?.kind !== 'Deployment') return set;
    const deployment = this.deployments.get(namespace, owner.name);
    return isMeant(deployment, owner) ? deployment : undefined;
  }

  /** The number of custom kinds is read from their scale subresource. */
  async #ask(
    namespace: string,
    { apiVersion, kind, name, uid }: ControllerReference,
    signal: AbortSignal,
  ): ReturnType<FindScale> {
    const { client } = this.#deps;
    const resource = await client.resourceOf({ apiVersion, kind }, signal);
    if (resource.type !== 'ok') return { type: 'unknown', why: resource.message };
    const { group, version, plural } = resource.resource;
    const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const path = `${base}/namespaces/${encodeURIComponent(namespace)}/${plural}/${encodeURIComponent(name)}/scale`;
    const scale = await client.raw(path, signal);
    if (scale.type === 'ok') return { type: 'known', count: scaleOf(scale.object), uid };
    const full = group === '' ? plural : `${plural}.${group}`;
    return { type: 'unknown', why: `${full} does not implement the scale subresource` };
  }
}

/** No selector selects nothing, an empty one everything. */
const selects = (budget: KubeObject, pod: KubeObject): boolean =>
  isObject(objectAt(budget, 'spec', 'selector')) && matchesLabels(selectorOf(budget), factsOf(pod).labels);

function isAlike(pod: KubeObject, old: KubeObject): boolean {
  const [facts, before] = [factsOf(pod), factsOf(old)];
  const labels = Object.entries(facts.labels);
  return (
    facts.isReady === before.isReady &&
    facts.isDeleting === before.isDeleting &&
    facts.phase === before.phase &&
    facts.owner === before.owner &&
    labels.length === Object.keys(before.labels).length &&
    labels.every(([key, value]) => before.labels[key] === value)
  );
}
