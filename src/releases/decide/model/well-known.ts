/** Labels, annotations, conditions and finalizers on the pods of our workloads. */
export const revisionLabel = 'controller-revision-hash';
export const instanceLabel = 'tkex.bkbcs.tencent.com/gamedeployment-instance-id';
export const gateType = 'InPlaceUpdateReady';

/** What is remembered of the containers that an update in place replaces. */
export const inPlaceStateAnnotation = 'inplace-update-state';
/** The change that waits for the end of its grace period. */
export const inPlaceGraceAnnotation = 'inplace-update-grace';
/** Containers whose images are written after those before them. */
export const inPlaceNextAnnotation = 'boathook.dev/in-place-next';
export const hotPatchStateAnnotation = 'hotpatch-update-state';
export const hotPatchContainerAnnotation = 'io.kubernetes.hotpatch.container';

/** On HookRuns that nobody owns: the uid of the workload that asks. */
export const workloadUidLabel = 'boathook.dev/workload-uid';

/** "true" while a hook is asked about the pod. */
export const deletingAnnotation = 'io.tencent.bcs.dev/game-pod-deleting';
/** Why the pod was chosen to go; it is not chosen anew, not even by another process (G9). */
export const leavingAnnotation = 'boathook.dev/leaving';
/** "<person>: <reason>" lets a pod go without its hook. */
export const breakGlassAnnotation = 'boathook.dev/break-glass';
export const preDeleteFinalizer = 'boathook.dev/pre-delete-hook';

export const nodeCostAnnotation = 'io.tencent.bcs.dev/node-deletion-cost';
export const podCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
export const costOrderAnnotation = 'io.tencent.bcs.dev/pod-deletion-cost-sort-method';
/** On nodes that can change a running container's image without a restart. */
export const hotPatchNodeLabel = 'boathook.dev/hot-patch';
