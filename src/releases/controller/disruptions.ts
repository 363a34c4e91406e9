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

/** The pods of a namespace that this process sees. */
export type SeenPods = {
  readonly pods: readonly KubeObject[];
  /** The workloads to which they belong, when there may be pods of others: a shard sees those of its own workloads. */
  readonly owners?: readonly KubeObject[] | undefined;
};

export type DisruptionsDeps = {
  readonly budgets: Pick<Informer, 'list'>;
  readonly pods: Pick<Informer, 'get' | 'list'>;
  /** The workloads of a namespace whose pods this process sees; undefined: it sees all pods. */
  readonly owners?: ((namespace: string) => readonly KubeObject[]) | undefined;
};

/** `allowed`: what its status allows, without what this process knows besides. */
type CountedBudget = DisruptionBudget & { readonly allowed: number };

/** What PodDisruptionBudgets still allow, less the pods disrupted since their status was written. */
export class Disruptions {
  readonly disrupted: DisruptedPods;
  readonly #budgets: Pick<Informer, 'list'>;
  readonly #pods: Pick<Informer, 'get' | 'list'>;
  readonly #owners: DisruptionsDeps['owners'];
  /** Workloads that a budget has stopped, by namespace. */
  readonly #stopped = new Map<string, Set<string>>();

  constructor({ budgets, pods, owners }: DisruptionsDeps) {
    this.#budgets = budgets;
    this.#pods = pods;
    this.#owners = owners;
    this.disrupted = disruptedPodsOf(pods);
  }

  /** The budgets of a namespace, for one decision. */
  of(namespace: string): readonly CountedBudget[] {
    const budgets = this.#budgets.list(namespace);
    // Asked also without a budget: it forgets what is seen.
    const unseen = this.disrupted.unseen(namespace);
    if (budgets.length === 0) return [];
    const seen = { pods: this.#pods.list(namespace), owners: this.#owners?.(namespace) };
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

  /**
   * A workload that the budgets have stopped is reconciled again when one of its namespace changes. Returns when it looks
   * again although none changes: a budget whose status allows more than is left need not change, because what is missing
   * are pods that this process does not see in service, and others than the workload may own them. To be asked together
   * with the decision, before these pods are seen.
   */
  waits(namespace: string, key: string): Millis {
    this.#stopped.set(namespace, (this.#stopped.get(namespace) ?? new Set()).add(key));
    return this.of(namespace).some(({ left, allowed }) => allowed > 0 && left < allowed)
      ? seconds(2)
      : millis(0);
  }

  /** Workloads that a change of a budget may let continue; those still stopped wait again. */
  takeStopped(namespace: string): Iterable<string> {
    const stopped = this.#stopped.get(namespace) ?? [];
    this.#stopped.delete(namespace);
    return stopped;
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
): CountedBudget {
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed') ?? Infinity;
  const paid = new Set(unseen.filter((pod) => protects(budget, pod)).map(uidOf));
  const others = (seen?.pods ?? [])
    .filter((pod) => !paid.has(uidOf(pod)) && protects(budget, pod))
    .map((pod) => releasePodOf(pod));
  const left = allowed === Infinity ? Infinity : leftOf(budget, others, { allowed, paid: paid.size, seen });
  return { name: nameOf(budget), protects: (pod) => protects(budget, pod), allowed, left, paid };
}

type Spending = { readonly allowed: number; readonly paid: number; readonly seen: SeenPods | undefined };

function leftOf(budget: KubeObject, pods: readonly ReleasePod[], { allowed, paid, seen }: Spending): number {
  if (seen === undefined) return allowed - paid;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  const staying = pods.filter(isStaying).length;
  const late = pods.filter(isReadyUntilRestart).length;
  const left = Math.min(allowed - paid - late, staying - desired);
  if (seen.owners === undefined || !protectsOthers(budget, pods.length + paid, seen.owners)) return left;
  // Only the status knows how pods of other shards are. It may not show restarts of this shard yet, so all of them count.
  return allowed - paid - pods.filter(isRestarting).length;
}

/** Whether a budget protects more pods than these, and than these workloads shall have. */
function protectsOthers(budget: KubeObject, count: number, owners: readonly KubeObject[]): boolean {
  const own = owners
    .filter((owner) => selects(budget, labelsOf(objectAt(owner, 'spec', 'template') ?? {})))
    .reduce((sum, owner) => sum + (numberAt(owner, 'spec', 'replicas') ?? 1), 0);
  return (numberAt(budget, 'status', 'expectedPods') ?? 0) > Math.max(own, count);
}

const protects = (budget: KubeObject, pod: KubeObject): boolean => selects(budget, labelsOf(pod));

/** Whether a PodDisruptionBudget protects pods with these labels. */
export function selects(budget: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  const selector = objectAt(budget, 'spec', 'selector');
  if (selector === undefined) return false;
  try {
    return matchesLabels(labelSelectorOf(selector), labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
