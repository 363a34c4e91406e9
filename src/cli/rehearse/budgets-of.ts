import { at, objectAt } from '#base/json.ts';
import { countText } from '#base/text.ts';
import { kindOf, labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import { selects } from '#releases/controller/disruptions.ts';
import { lintedKinds } from '#releases/decide/lint/lint-workload.ts';
import type { RehearsedBudget } from '#rehearse/rehearsal-report.ts';
import { replicasOf } from './replicas-of.ts';

/** The budgets of a workload. */
export type BudgetsOfWorkload = {
  readonly budgets: readonly RehearsedBudget[];
  /** A given object as it is in the rehearsal, where workloads are rehearsed one by one. */
  readonly placed: (object: KubeObject) => KubeObject;
  readonly assumptions: readonly string[];
};

type Surroundings = {
  /** All other objects that are given. */
  readonly neighbours: readonly KubeObject[];
  /** The number of replicas before the change. */
  readonly before: number;
};

type Protection = RehearsedBudget & {
  readonly budget: KubeObject;
  /** Pods of other workloads that are not in the rehearsal. */
  readonly absent: number;
};

/** The PodDisruptionBudgets of a workload after the change, and how many pods each of them wants in service. */
export function budgetsOf(workload: KubeObject, { neighbours, before }: Surroundings): BudgetsOfWorkload {
  const running = Math.min(before, replicasOf(workload));
  const inNamespace = neighbours.filter((object) => namespaceOf(object) === namespaceOf(workload));
  const found = inNamespace
    .filter((object) => kindOf(object) === 'PodDisruptionBudget' && protectsPodsOf(object, workload))
    .map((budget): Protection => {
      const others = podsOf(budget, inNamespace, otherKinds);
      const pods = running + others;
      const absent = podsOf(budget, inNamespace, lintedKinds);
      return { name: nameOf(budget), wanted: wantedOf(budget, pods), pods, others, budget, absent };
    });
  return {
    budgets: found.map(({ name, wanted, pods, others }) => ({ name, wanted, pods, others })),
    placed: (object) => found.filter(({ budget }) => budget === object).reduce(withoutAbsent, object),
    assumptions: found
      .filter(({ others }) => others > 0)
      .map(
        ({ name, others }) =>
          `${countText(others, 'pod')} of other workloads that PodDisruptionBudget ${name} protects ${others === 1 ? 'was' : 'were'} assumed to stay in service`,
      ),
  };
}

const otherKinds: readonly string[] = [
  ...lintedKinds,
  'Deployment',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
];

const protectsPodsOf = (budget: KubeObject, workload: KubeObject): boolean =>
  selects(budget, labelsOf(objectAt(workload, 'spec', 'template') ?? {}));

/** How many pods of workloads of these kinds a budget protects. */
const podsOf = (budget: KubeObject, objects: readonly KubeObject[], kinds: readonly string[]): number =>
  objects
    .filter((object) => kinds.includes(kindOf(object)) && protectsPodsOf(budget, object))
    .reduce((sum, object) => sum + replicasOf(object), 0);

/** A budget that wants as much of the pods that are there. */
function withoutAbsent(object: KubeObject, { wanted, absent }: Protection): KubeObject {
  if (absent === 0) return object;
  const { minAvailable: _least, maxUnavailable: _most, ...spec } = objectAt(object, 'spec') ?? {};
  return { ...object, spec: { ...spec, minAvailable: Math.max(0, wanted - absent) } };
}

/** Percentages are rounded up, as Kubernetes does. */
function wantedOf(budget: KubeObject, replicas: number): number {
  const least = at(budget, 'spec', 'minAvailable');
  if (least !== undefined) return scaledValue(least, replicas, 'up');
  return Math.max(0, replicas - scaledValue(at(budget, 'spec', 'maxUnavailable'), replicas, 'up'));
}
