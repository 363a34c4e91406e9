import { workloadUidLabel } from '#releases/model/well-known.ts';
import type { Source } from '#loop/controller.ts';
import { keyOf } from '#loop/delta.ts';
import type { Informer } from '#loop/informer.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { isDeleting, labelsOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';

/** HookRuns of a workload that is being deleted have no owner: the garbage collector would delete them first. */
export const workloadIndexes = {
  workload: (run: KubeObject): readonly string[] => {
    const uid = labelsOf(run)[workloadUidLabel];
    return uid === undefined ? [] : [uid];
  },
};

/** The HookRuns of a workload. One that we have deleted decides no more, though the informer may still show it. */
export function runsOf(
  runs: Pick<Informer, 'byIndex'>,
  newest: Newest,
  workload: KubeObject,
): readonly KubeObject[] {
  const owned = runs.byIndex('controller', uidOf(workload));
  const asked = isDeleting(workload) ? runs.byIndex('workload', uidOf(workload)) : [];
  return newest.present([...owned, ...asked]);
}

/** Reconciles the workload that the label of a HookRun without an owner names. */
export const labelledSource = (runs: Informer, workloads: Informer): Source => ({
  informer: runs,
  keysOf({ object }) {
    const uid = labelsOf(object)[workloadUidLabel];
    if (uid === undefined || controllerOf(object) !== undefined) return [];
    return workloads
      .list(namespaceOf(object))
      .filter((workload) => uidOf(workload) === uid)
      .map(keyOf);
  },
});
