/** Labels and annotations of the pods of a GameStatefulSet. */
export const podNameLabel = 'gamestatefulset.kubernetes.io/pod-name';
export const podOrdinalLabel = 'gamestatefulset.kubernetes.io/pod-ordinal';
/** "true" on a pod: it is deleted by force when its node is lost. */
export const nodeLostAnnotation = 'pod.gamestatefulset.bkbcs.tencent.com/node-lost-force-delete';
/** "true" on a pod beyond the replicas that exists during a release. */
export const surgeAnnotation = 'boathook.dev/surge';
