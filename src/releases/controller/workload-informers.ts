import { leanRun } from '#hooks/decide/run-object.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { Informer } from '#loop/informer.ts';
import { ownerIndexes } from '#loop/owned/owned.ts';
import { budgets, claims, nodes, pods, revisions } from '#loop/owned/resources.ts';
import type { KubeObject } from '#kube/object.ts';
import type { SharedInformers } from '#loop/shared-informers.ts';
import { finalizerIndexes } from './orphans.ts';
import { gameDeployments, gameStatefulSets } from './resources.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { workloadIndexes } from './workload-runs.ts';

/** What the controller of a kind of workload watches. */
export type WorkloadInformers = {
  readonly workloads: Informer;
  readonly pods: Informer;
  readonly revisions: Informer;
  readonly runs: Informer;
  readonly templates: Informer;
  /** Undefined when the controllers may use some namespaces only: nodes are cluster-scoped. */
  readonly nodes: Informer | undefined;
  readonly budgets: Informer;
  /** Undefined for workloads without PersistentVolumeClaims. */
  readonly claims: Informer | undefined;
};

/** The workloads of a namespace that this process reconciles, of both kinds. */
export const workloadsIn =
  ({ existing }: Pick<SharedInformers, 'existing'>) =>
  (namespace: string): readonly KubeObject[] =>
    [gameDeployments, gameStatefulSets].flatMap((resource) => existing(resource)?.list(namespace) ?? []);

export const workloadInformers = (
  { informers }: Pick<ControlDeps, 'informers'>,
  kind: WorkloadKind,
): WorkloadInformers => ({
  workloads: informers.informer({ resource: kind.resource }),
  pods: informers.informer({ resource: pods, indexes: { ...ownerIndexes, ...finalizerIndexes } }),
  revisions: informers.informer({ resource: revisions, indexes: ownerIndexes }),
  runs: informers.informer({
    resource: hookRuns,
    indexes: { ...ownerIndexes, ...workloadIndexes },
    decode: leanRun,
  }),
  templates: informers.informer({ resource: hookTemplates }),
  nodes: informers.namespaces === undefined ? informers.informer({ resource: nodes }) : undefined,
  budgets: informers.informer({ resource: budgets }),
  claims: kind.hasClaims ? informers.informer({ resource: claims }) : undefined,
});
