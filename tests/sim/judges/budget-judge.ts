import { at, equalJson, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { instant, later, seconds, type Instant } from '#base/time.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import {
  isDeleting,
  labelsOf,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { keyOf, splitKey } from '#loop/delta.ts';
import { gateType } from '#releases/model/well-known.ts';
import type { ServerChange } from '../sim-server.ts';
import { KnownReplicas } from './known-replicas.ts';

/** So long it may take until the status of a budget shows that a pod is gone, or how many there should be. */
const slowness = seconds(2);

/** When a pod went, and the resourceVersion of the first status of a budget after that. */
type Loss = { readonly at: Instant; readonly shownWith?: number };

/** The resourceVersion of a status, and the uids of the workloads that had pods then: the replicas of no others count. */
type Counted = { readonly version: number; readonly owners: ReadonlySet<string> };

/** No pod is restarted in place when a PodDisruptionBudget does not allow one more. */
export class BudgetJudge {
  readonly complaints: string[] = [];
  readonly judged = { restarts: 0 };
  readonly #pods = new Map<string, Map<string, KubeObject>>();
  readonly #budgets = new Map<string, Map<string, KubeObject>>();
  /** Pods that went out of service for another reason, by namespace. */
  readonly #losses = new Map<string, readonly Loss[]>();
  /** Statuses that controllers may still know, by namespace. */
  readonly #counted = new Map<string, readonly Counted[]>();
  readonly #replicas = new KnownReplicas();
  /** Uids of workloads by their key. */
  readonly #uids = new Map<string, string>();
  /** Uids of workloads that are being deleted, by their key. */
  readonly #ending = new Map<string, string>();
  readonly #isAbandoned: (pod: KubeObject) => boolean;

  /** `isAbandoned`: a write of the pod arrives now whose controller has ended: the one that took over cannot know of it. */
  constructor(isAbandoned: (pod: KubeObject) => boolean = () => false) {
    this.#isAbandoned = isAbandoned;
  }

  /** Everybody has seen what happened before `slowness`. */
  calm(now: Instant): void {
    this.#replicas.calm(instant(now - slowness));
    for (const [namespace, losses] of this.#losses) {
      const left = losses.filter(({ at }) => later(at, slowness) > now);
      if (left.length === 0) this.#losses.delete(namespace);
      else this.#losses.set(namespace, left);
    }
    for (const [namespace, counted] of this.#counted)
      if (counted.length > 1) this.#counted.set(namespace, counted.slice(-1));
  }

  see(change: ServerChange, now: Instant): void {
    const { type, storage, object } = change;
    this.#replicas.see(change, now);
    if (storage.startsWith('tkex.tencent.com/game')) this.#seeWorkload(type, object);
    if (storage === 'policy/poddisruptionbudgets') this.#seeBudget(change);
    if (storage === '/pods') this.#seePod(change, now);
  }

  #seePod({ type, object, before, received = () => 0 }: ServerChange, now: Instant): void {
    put(this.#pods, type, object);
    if (before === undefined || !isHealthy(before)) return;
    if (type !== 'DELETED' && isHealthy(object)) return;
    const namespace = namespaceOf(object);
    const isRestart = type !== 'DELETED' && !isDeleting(object) && gateOf(object) === 'False';
    if (isRestart && !this.#isAbandoned(object)) this.#judge(object, received('poddisruptionbudgets'));
    else this.#losses.set(namespace, [...(this.#losses.get(namespace) ?? []), { at: now }]);
  }

  /** The next status of a budget counts every pod that went before. */
  #seeBudget({ type, object, before }: ServerChange): void {
    put(this.#budgets, type, object);
    if (equalJson(object['status'], before?.['status'])) return;
    const namespace = namespaceOf(object);
    const version = Number(resourceVersionOf(object));
    const losses = this.#losses.get(namespace)?.map((loss) => ({ shownWith: version, ...loss }));
    if (losses !== undefined) this.#losses.set(namespace, losses);
    const pods = [...(this.#pods.get(namespace)?.values() ?? [])];
    const owners = new Set(pods.map((pod) => controllerOf(pod)?.uid ?? ''));
    this.#counted.set(namespace, [...(this.#counted.get(namespace) ?? []), { version, owners }]);
  }

  #seeWorkload(type: ServerChange['type'], workload: KubeObject): void {
    if (type === 'DELETED') this.#uids.delete(keyOf(workload));
    else this.#uids.set(keyOf(workload), uidOf(workload));
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

  /** Whether a workload had no pods when the last status that was received was written. */
  #isUncounted(workload: string, received: number): boolean {
    const statuses = this.#counted.get(splitKey(workload).namespace) ?? [];
    const uid = this.#uids.get(workload);
    const last = statuses.findLast(({ version }) => version <= received);
    return uid !== undefined && last?.owners.has(uid) === false;
  }

  /** `received`: the resourceVersion up to which the controller had received budgets when it decided. */
  #judge(pod: KubeObject, received: number): void {
    const namespace = namespaceOf(pod);
    for (const budget of this.#budgets.get(namespace)?.values() ?? []) {
      const selector = labelSelectorOf(objectAt(budget, 'spec', 'selector') ?? {});
      if (!matchesLabels(selector, labelsOf(pod))) continue;
      this.judged.restarts += 1;
      const healthy = [...(this.#pods.get(namespace)?.values() ?? [])].filter(
        (each) => isHealthy(each) && matchesLabels(selector, labelsOf(each)),
      ).length;
      const excused =
        this.#losses.get(namespace)?.filter(({ shownWith = Infinity }) => shownWith > received).length ?? 0;
      const least = desiredOf(
        budget,
        this.#replicas.leastIn(
          namespace,
          (each) => this.#hasEnded(each) || this.#isUncounted(each, received),
        ),
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
