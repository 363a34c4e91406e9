import { kindOf, type KubeObject } from '#kube/object.ts';

/** Kinds that controllers of a rehearsal act on, or that pods and hooks use. */
const inRehearsal: ReadonlySet<string> = new Set(
  [
    'GameDeployment GameStatefulSet HookTemplate HookRun SimulationProfile',
    'Deployment ReplicaSet StatefulSet DaemonSet Job CronJob Pod ControllerRevision',
    'Namespace ConfigMap Secret ServiceAccount Service Endpoints EndpointSlice',
    'PersistentVolumeClaim PersistentVolume PodDisruptionBudget CustomResourceDefinition',
    'Role RoleBinding ClusterRole ClusterRoleBinding',
  ].flatMap((kinds) => kinds.split(' ')),
);

/** Objects that may be stored in a rehearsal, and that nothing acts on, such as a HorizontalPodAutoscaler. */
export const passiveObjects = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.filter((object) => !inRehearsal.has(kindOf(object)));
