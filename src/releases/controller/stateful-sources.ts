import { textAt } from '#base/json.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf, objectKey, type Delta } from '#loop/delta.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { conditionOf } from '#kube/conditions.ts';
import { claimTemplates } from '#kube/workload/stateful-identity.ts';
import type { WorkloadInformers } from './workload-informers.ts';
import type { WorkloadKind } from './workload-kind.ts';

/** Claims and nodes whose changes start a reconcile. */
export function statefulSources(informers: WorkloadInformers, { kind }: WorkloadKind): readonly Source[] {
  if (informers.claims === undefined) return [];
  informers.pods.addIndexes({ node: (pod) => [textAt(pod, 'spec', 'nodeName') ?? ''] });
  return [
    { informer: informers.claims, keysOf: (delta) => afterClaim(informers, delta) },
    ...(informers.nodes === undefined
      ? []
      : [{ informer: informers.nodes, keysOf: (delta: Delta) => afterNode(informers, kind, delta) }]),
  ];
}

/** After the deletion of a claim the pod that waits for a new one can be created. */
function afterClaim(informers: WorkloadInformers, { type, object }: Delta): readonly string[] {
  if (type !== 'deleted') return [];
  const name = nameOf(object);
  const isTheirs = (set: KubeObject): boolean =>
    claimTemplates(set).some((template) =>
      name.startsWith(`${textAt(template, 'metadata', 'name') ?? ''}-${nameOf(set)}-`),
    );
  return informers.workloads.list(namespaceOf(object)).filter(isTheirs).map(keyOf);
}

/** The workloads with pods on a node whose Ready condition changes. */
function afterNode(informers: WorkloadInformers, kind: string, delta: Delta): readonly string[] {
  if (delta.type === 'added') return [];
  if (delta.type === 'updated' && readyOf(delta.object) === readyOf(delta.old)) return [];
  return informers.pods.byIndex('node', nameOf(delta.object)).flatMap((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === kind ? [objectKey(namespaceOf(pod), owner.name)] : [];
  });
}

const readyOf = (node: KubeObject): string | undefined => textAt(conditionOf(node, 'Ready'), 'status');
