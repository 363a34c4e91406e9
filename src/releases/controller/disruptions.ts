import { numberAt, objectAt } from '#base/json.ts';
import { millis, seconds, type Millis } from '#base/time.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import type { DisruptionBudget } from '#releases/decide/disruption-budgets.ts';
import { isReadyUntilRestart, isRestarting, isStaying } from '#releases/decide/pod-restart.ts';
import { releasePodOf, type ReleasePod } from '#releases/decide/pod-view.ts';
import type { Informer } from '#loop/informer.ts';
import { labelSelectorOf, matchesLabels, SelectorError } from '#kube/label-selector.ts';
import { labelsOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { disruptedPodsOf, type DisruptedPods } from './disrupted-pods.ts';

/** Pods of a namespace, and whether there are no others: controllers of a shard see those of their own workloads. */
export type SeenPods = { readonly pods: readonly KubeObject[]; readonly areAll: boolean };

/** What PodDisruptionBudgets still allow, less the pods disrupted since their status was written. */
export class Disruptions {
  readonly disrupted: DisruptedPods;
  readonly #budgets: Pick<Informer, 'list'>;
  readonly #pods: Pick<Informer, 'get' | 'list'>;
  readonly #seesAllPods: boolean;
  /** Workloads that a budget has stopped, by namespace. */
  readonly #stopped = new Map<string, Set<string>>();

  constructor(
    {
      budgets,
      pods,
    }: { readonly budgets: Pick<Informer, 'list'>; readonly pods: Pick<Informer, 'get' | 'list'> },
    { seesAllPods = true }: { readonly seesAllPods?: boolean } = {},
  ) {
    this.#budgets = budgets;
    this.#pods = pods;
    this.#seesAllPods = seesAllPods;
    this.disrupted = disruptedPodsOf(pods);
  }

  /** The budgets of a namespace, for one decision. */
  of(namespace: string): readonly DisruptionBudget[] {
    const budgets = this.#budgets.list(namespace);
    if (budgets.length === 0) return [];
    const seen = { pods: this.#pods.list(namespace), areAll: this.#seesAllPods };
    const unseen = this.disrupted.unseen(namespace);
    return budgets.map((budget) => budgetOf(budget, unseen, seen));
  }

  /** Counts the pods that actions will take out of service, before others can decide; returns them. */
  plan(actions: readonly ReleaseAction[]): readonly KubeObject[] {
    const planned = actions.flatMap((action) =>
      action.type === 'begin-in-place' && releasePodOf(action.pod).isInService ? [action.pod] : [],
    );
    for (const pod of planned) this.disrupted.plan(pod);
    return planned;
  }

  /** A workload is reconciled again when a budget of its namespace changes. */
  waits(namespace: string, key: string): void {
    this.#stopped.set(namespace, (this.#stopped.get(namespace) ?? new Set()).add(key));
  }

  /** Workloads that a change of a budget may let continue; those still stopped wait again. */
  takeStopped(namespace: string): Iterable<string> {
    const stopped = this.#stopped.get(namespace) ?? [];
    this.#stopped.delete(namespace);
    return stopped;
  }

  /**
   * When to look again, although no budget changes: pods that count may count no more, and the status of the budget
   * need not have shown them out of service.
   */
  pending(namespace: string): Millis {
    const isSettled =
      this.disrupted.unseen(namespace).length === 0 &&
      !this.#pods.list(namespace).some((pod) => isRestarting(releasePodOf(pod)));
    return isSettled ? millis(0) : seconds(2);
  }
}

/**
 * `unseen`: pods that were disrupted, and the informer does not show it yet. Pods that are seen to be out of service
 * count although the status of the budget does not show it: it is written a moment later, and this process may be new.
 * Pods that the kubelet still calls ready count although the status shows other lost pods that the informer does not
 * show yet.
 */
export function budgetOf(
  budget: KubeObject,
  unseen: readonly KubeObject[],
  seen: SeenPods | undefined,
): DisruptionBudget {
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
  const paid = new Set(unseen.filter((pod) => protects(budget, pod)).map(uidOf));
  const others = (seen?.pods ?? [])
    .filter((pod) => !paid.has(uidOf(pod)) && protects(budget, pod))
    .map((pod) => releasePodOf(pod));
  const left = allowed === undefined ? Infinity : leftOf(budget, others, { allowed, paid: paid.size, seen });
  return { name: nameOf(budget), protects: (pod) => protects(budget, pod), left, paid };
}

type Spending = { readonly allowed: number; readonly paid: number; readonly seen: SeenPods | undefined };

function leftOf(budget: KubeObject, pods: readonly ReleasePod[], { allowed, paid, seen }: Spending): number {
  if (seen === undefined) return allowed - paid;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  const staying = pods.filter(isStaying).length;
  const late = pods.filter(isReadyUntilRestart).length;
  const left = Math.min(allowed - paid - late, staying - desired);
  if (seen.areAll) return left;
  // Pods that the status may call healthy. If it knows of more, they belong to other shards, and only the status knows
  // how they are. It may not show restarts of this shard yet, so all of them count.
  const going = pods.filter(({ facts }) => facts.isDeleting).length;
  const restarting = pods.filter(isRestarting).length;
  const healthy = numberAt(budget, 'status', 'currentHealthy') ?? 0;
  return healthy > paid + staying + restarting + going ? allowed - paid - restarting : left;
}

function protects(budget: KubeObject, pod: KubeObject): boolean {
  const selector = objectAt(budget, 'spec', 'selector');
  if (selector === undefined) return false;
  try {
    return matchesLabels(labelSelectorOf(selector), labelsOf(pod));
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
