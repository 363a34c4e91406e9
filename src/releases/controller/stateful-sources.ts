import { textAt } from '#base/json.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf, objectKey, type Delta } from '#loop/delta.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { conditionOf } from '#kube/conditions.ts';
import { claimTemplates } from '#kube/workload/stateful-identity.ts';
import type { WorkloadKind } from './workload-kind.ts';
import type { WorkloadWork } from './workload-work.ts';

/** What else wakes workloads whose pods have claims and whose nodes may be lost. */
export function statefulSources(work: WorkloadWork, { kind }: WorkloadKind): readonly Source[] {
  if (work.claims === undefined) return [];
  work.pods.addIndexes({ node: (pod) => [textAt(pod, 'spec', 'nodeName') ?? ''] });
  return [
    { informer: work.claims, keysOf: (delta) => afterClaim(work, delta) },
    { informer: work.nodes, keysOf: (delta) => afterNode(work, kind, delta) },
  ];
}

/** A claim that is gone lets the pod come that waits for its successor. */
function afterClaim(work: WorkloadWork, { type, object }: Delta): readonly string[] {
  if (type !== 'deleted') return [];
  const name = nameOf(object);
  const isTheirs = (set: KubeObject): boolean =>
    claimTemplates(set).some((template) =>
      name.startsWith(`${textAt(template, 'metadata', 'name') ?? ''}-${nameOf(set)}-`),
    );
  return work.workloads.list(namespaceOf(object)).filter(isTheirs).map(keyOf);
}

/** A node that is lost, or comes back, matters to those that have pods on it. */
function afterNode(work: WorkloadWork, kind: string, delta: Delta): readonly string[] {
  if (delta.type === 'added') return [];
  if (delta.type === 'updated' && readyOf(delta.object) === readyOf(delta.old)) return [];
  return work.pods.byIndex('node', nameOf(delta.object)).flatMap((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === kind ? [objectKey(namespaceOf(pod), owner.name)] : [];
  });
}

const readyOf = (node: KubeObject): string | undefined => textAt(conditionOf(node, 'Ready'), 'status');
