/** Labels and annotations of the pods of a GameStatefulSet. */
export const podNameLabel = 'gamestatefulset.kubernetes.io/pod-name';
export const podOrdinalLabel = 'gamestatefulset.kubernetes.io/pod-ordinal';
/** "true" on a pod lets it be taken from a node that is lost. */
export const nodeLostAnnotation = 'pod.gamestatefulset.bkbcs.tencent.com/node-lost-force-delete';
/** "true" on a pod beyond the replicas that was made for the time of a release. */
export const surgeAnnotation = 'boathook.dev/surge';
