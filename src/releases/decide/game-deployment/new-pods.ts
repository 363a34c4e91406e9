import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import { isEnforced } from '#releases/decide/finalizer.ts';
import { podFromRevision } from '#releases/decide/new-pod.ts';
import { instanceLabel } from '#releases/model/well-known.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { assignIndexes, indexRangeOf, withIndex } from './pod-index.ts';

export type NewPodsGiven = {
  readonly workload: KubeObject;
  readonly spec: GameDeployment['spec'];
  readonly revision: KubeObject;
  /** One unused id per pod. */
  readonly ids: readonly string[];
  /** All existing pods: their indexes are in use. */
  readonly pods: readonly KubeObject[];
};

export type NewPods =
  | { readonly type: 'pods'; readonly pods: readonly KubeObject[] }
  | { readonly type: 'refused'; readonly message: string };

const longestName = 253;

export function newPods(given: NewPodsGiven): NewPods {
  const { workload, spec, revision, ids } = given;
  const range = indexRangeOf(workload, spec.replicas ?? 1);
  if (range.type === 'refused') return range;
  const indexes = range.type === 'range' ? assignIndexes(range, given.pods, ids.length) : [];
  const made = ids.map((id, at) => {
    const pod = podFromRevision({
      workload,
      revision,
      name: `${fitted(nameOf(workload), longestName - 1 - id.length)}-${id}`,
      labels: { [instanceLabel]: id },
      hasGate: spec.disableReadinessGate !== true,
      hasFinalizer: isEnforced(spec.preDeleteUpdateStrategy),
    });
    const index = indexes[at];
    return index === undefined ? pod : withIndex(pod, index);
  });
  return { type: 'pods', pods: range.type === 'range' ? made.slice(0, indexes.length) : made };
}
