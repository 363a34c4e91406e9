import { at, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { keyOf, splitKey } from '#loop/delta.ts';
import { gateType } from '#releases/model/well-known.ts';
import type { ServerChange } from '../sim-server.ts';
import { KnownReplicas } from './known-replicas.ts';

/** So long it may take until the status of a budget shows that a pod is gone, or how many there should be. */
const slowness = seconds(2);

/** No pod is restarted in place when a PodDisruptionBudget does not allow one more. */
export class BudgetJudge {
  readonly complaints: string[] = [];
  readonly judged = { restarts: 0 };
  readonly #pods = new Map<string, Map<string, KubeObject>>();
  readonly #budgets = new Map<string, Map<string, KubeObject>>();
  /** When a pod went out of service for another reason, by namespace. */
  readonly #losses = new Map<string, Instant[]>();
  readonly #replicas = new KnownReplicas();
  /** Uids of workloads that are being deleted, by their key. */
  readonly #ending = new Map<string, string>();

  /** Everybody has seen what happened before `slowness`. */
  calm(now: Instant): void {
    this.#replicas.calm(instant(now - slowness));
    for (const [namespace, losses] of this.#losses) {
      const left = losses.filter((time) => later(time, slowness) > now);
      if (left.length === 0) this.#losses.delete(namespace);
      else this.#losses.set(namespace, left);
    }
  }

  see(change: ServerChange, now: Instant): void {
    const { type, storage, object, before } = change;
    this.#replicas.see(change, now);
    if (storage.startsWith('tkex.tencent.com/game')) this.#seeWorkload(type, object);
    if (storage === 'policy/poddisruptionbudgets') put(this.#budgets, type, object);
    if (storage !== '/pods') return;
    put(this.#pods, type, object);
    if (before === undefined || !isHealthy(before)) return;
    if (type !== 'DELETED' && isHealthy(object)) return;
    const namespace = namespaceOf(object);
    const isRestart = type !== 'DELETED' && !isDeleting(object) && gateOf(object) === 'False';
    if (isRestart) this.#judge(object);
    else this.#losses.set(namespace, [...(this.#losses.get(namespace) ?? []), now]);
  }

  #seeWorkload(type: ServerChange['type'], workload: KubeObject): void {
    if (type !== 'DELETED' && isDeleting(workload)) this.#ending.set(keyOf(workload), uidOf(workload));
    else this.#ending.delete(keyOf(workload));
  }

  /**
   * A workload that is being deleted makes no pods. When it has none left, nobody expects any of it: Kubernetes counts
   * the replicas of those to whom the protected pods belong.
   */
  #hasEnded(workload: string): boolean {
    const uid = this.#ending.get(workload);
    if (uid === undefined) return false;
    const pods = this.#pods.get(splitKey(workload).namespace)?.values() ?? [];
    return ![...pods].some((pod) => controllerOf(pod)?.uid === uid);
  }

  #judge(pod: KubeObject): void {
    const namespace = namespaceOf(pod);
    for (const budget of this.#budgets.get(namespace)?.values() ?? []) {
      const selector = labelSelectorOf(objectAt(budget, 'spec', 'selector') ?? {});
      if (!matchesLabels(selector, labelsOf(pod))) continue;
      this.judged.restarts += 1;
      const healthy = [...(this.#pods.get(namespace)?.values() ?? [])].filter(
        (each) => isHealthy(each) && matchesLabels(selector, labelsOf(each)),
      ).length;
      const excused = this.#losses.get(namespace)?.length ?? 0;
      const least = desiredOf(
        budget,
        this.#replicas.leastIn(namespace, (each) => this.#hasEnded(each)),
      );
      if (healthy + excused < least)
        this.complaints.push(
          `Pod ${namespace}/${nameOf(pod)} is restarted: ${healthy} are healthy, its budget wants ${least}`,
        );
    }
  }
}

function desiredOf(budget: KubeObject, replicas: number): number {
  const least = at(budget, 'spec', 'minAvailable');
  if (typeof least === 'number') return least;
  return Math.max(0, replicas - shareOf(at(budget, 'spec', 'maxUnavailable') ?? 0, replicas));
}

const shareOf = (value: Json, whole: number): number =>
  typeof value === 'number'
    ? value
    : Math.ceil((Number.parseInt(typeof value === 'string' ? value : '0', 10) * whole) / 100);

const conditionOf = (pod: KubeObject, type: string): string | undefined =>
  textAt(
    listAt(pod, 'status', 'conditions').find((each) => textAt(each, 'type') === type),
    'status',
  );
const gateOf = (pod: KubeObject): string | undefined => conditionOf(pod, gateType);
const isHealthy = (pod: KubeObject): boolean =>
  !isDeleting(pod) && conditionOf(pod, 'Ready') === 'True' && gateOf(pod) !== 'False';

function put(
  map: Map<string, Map<string, KubeObject>>,
  type: ServerChange['type'],
  object: KubeObject,
): void {
  const known = map.get(namespaceOf(object)) ?? new Map<string, KubeObject>();
  map.set(namespaceOf(object), known);
  if (type === 'DELETED') known.delete(uidOf(object));
  else known.set(uidOf(object), object);
}
