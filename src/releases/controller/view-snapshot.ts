import type { Instant } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { updateRevision } from '#kube/workload/revisions.ts';
import type { ViewSnapshot } from '#releases/decide/view/release-view.ts';
import { revisionNaming } from './update-revision.ts';
import { isRunOf, ownedBy } from './workload-selection.ts';
import { withoutUpdate } from './workload-snapshot.ts';

/** The objects that a label selector has found; some may belong to others. */
export type SelectedObjects = {
  readonly workload: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly revisions: readonly KubeObject[];
  readonly runs: readonly KubeObject[];
};

/** The snapshot of a release for its view. */
export function viewSnapshotOf(selected: SelectedObjects, now: Instant): ViewSnapshot {
  const { workload } = selected;
  const known = ownedBy(workload, selected.revisions);
  const { update, others } = withoutUpdate(known, updateRevision(workload, known, revisionNaming).revision);
  return {
    workload,
    updateRevision: update,
    revisions: [...others, update],
    pods: ownedBy(workload, selected.pods),
    runs: selected.runs.filter((run) => isRunOf(workload, run) && !isDeleting(run)),
    now,
  };
}
