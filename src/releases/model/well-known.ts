/** Labels, annotations, conditions and finalizers on the pods of our workloads. */
export const revisionLabel = 'controller-revision-hash';
export const instanceLabel = 'tkex.bkbcs.tencent.com/gamedeployment-instance-id';
export const gateType = 'InPlaceUpdateReady';

/** The containers before an in-place update. */
export const inPlaceStateAnnotation = 'inplace-update-state';
/** A change that waits for the end of its grace period. */
export const inPlaceGraceAnnotation = 'inplace-update-grace';
/** Images to write when the containers before them are replaced. */
export const inPlaceNextAnnotation = 'boathook.dev/in-place-next';
/** The version of the pod that a write named which was given up. */
export const givenUpAnnotation = 'boathook.dev/write-given-up';
export const hotPatchStateAnnotation = 'hotpatch-update-state';
export const hotPatchContainerAnnotation = 'io.kubernetes.hotpatch.container';

/** On workloads, "true": the controller wrote the last `paused: false`, no user. */
export const resumedAnnotation = 'boathook.dev/resumed-by-controller';

/** On HookRuns, "true": the controller stopped it, no user. */
export const stoppedAnnotation = 'boathook.dev/stopped-by-controller';

/** On HookRuns without an owner: the uid of their workload. */
export const workloadUidLabel = 'boathook.dev/workload-uid';
/** On the same: the name of their workload, where a label may have it shortened. */
export const workloadNameAnnotation = 'boathook.dev/workload-name';

/** "true" while a hook runs for the pod. */
export const deletingAnnotation = 'io.tencent.bcs.dev/game-pod-deleting';
/** Why the pod was chosen for deletion. The choice outlives the controller process. */
export const leavingAnnotation = 'boathook.dev/leaving';
/** "<person>: <reason>" deletes a pod without its hook. */
export const breakGlassAnnotation = 'boathook.dev/break-glass';
export const preDeleteFinalizer = 'boathook.dev/pre-delete-hook';

export const nodeCostAnnotation = 'io.tencent.bcs.dev/node-deletion-cost';
export const podCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
export const costOrderAnnotation = 'io.tencent.bcs.dev/pod-deletion-cost-sort-method';
/** On nodes that can change a running container's image without a restart. */
export const hotPatchNodeLabel = 'boathook.dev/hot-patch';
