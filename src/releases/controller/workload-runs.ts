import { workloadUidLabel } from '#releases/decide/model/well-known.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import { isDeleting, labelsOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';

/** HookRuns of a workload that is being deleted are not owned by it: the garbage collector would take them first. */
export const workloadIndexes = {
  workload: (run: KubeObject): readonly string[] => {
    const uid = labelsOf(run)[workloadUidLabel];
    return uid === undefined ? [] : [uid];
  },
};

/** The HookRuns of a workload. */
export function runsOf(runs: Informer, workload: KubeObject): readonly KubeObject[] {
  const owned = runs.byIndex('controller', uidOf(workload));
  const asked = isDeleting(workload) ? runs.byIndex('workload', uidOf(workload)) : [];
  return [...owned, ...asked];
}

/** Changes of those HookRuns concern the workload that their label names. */
export const labelledSource = (runs: Informer, workloads: Informer): Source => ({
  informer: runs,
  keysOf({ object }) {
    const uid = labelsOf(object)[workloadUidLabel];
    if (uid === undefined) return [];
    return workloads
      .list(namespaceOf(object))
      .filter((workload) => uidOf(workload) === uid)
      .map(keyOf);
  },
});
