import type { TypePackage } from './type-package.ts';

/** Every type of apps/v1, one line per type and per field (see parse-lines.ts). */
export const appsV1: TypePackage = {
  name: 'io.k8s.api.apps.v1',
  alias: 'apps',
  group: 'apps',
  version: 'v1',
  lines: `
ControllerRevision kind
 metadata 1 meta.ObjectMeta?
 data 2 runtime.RawExtension?
 revision 3 int64
ControllerRevisionList kind
 metadata 1 meta.ListMeta?
 items 2 []ControllerRevision
DaemonSet kind
 metadata 1 meta.ObjectMeta?
 spec 2 DaemonSetSpec?
 status 3 DaemonSetStatus?
DaemonSetCondition
 type 1 string<DaemonSetConditionType>
 status 2 string<ConditionStatus>
 lastTransitionTime 3 meta.Time?
 reason 4 string?
 message 5 string?
DaemonSetList kind
 metadata 1 meta.ListMeta?
 items 2 []DaemonSet
DaemonSetSpec
 selector 1 *meta.LabelSelector
 template 2 core.PodTemplateSpec
 updateStrategy 3 DaemonSetUpdateStrategy?
 minReadySeconds 4 int32?
 revisionHistoryLimit 6 *int32?
DaemonSetStatus
 currentNumberScheduled 1 int32
 numberMisscheduled 2 int32
 desiredNumberScheduled 3 int32
 numberReady 4 int32
 observedGeneration 5 int64?
 updatedNumberScheduled 6 int32?
 numberAvailable 7 int32?
 numberUnavailable 8 int32?
 collisionCount 9 *int32?
 conditions 10 []DaemonSetCondition? =map:type ~merge:type
DaemonSetUpdateStrategy
 type 1 string?<DaemonSetUpdateStrategyType>
 rollingUpdate 2 *RollingUpdateDaemonSet?
Deployment kind
 metadata 1 meta.ObjectMeta?
 spec 2 DeploymentSpec?
 status 3 DeploymentStatus?
DeploymentCondition
 type 1 string<DeploymentConditionType>
 status 2 string<ConditionStatus>
 lastUpdateTime 6 meta.Time?
 lastTransitionTime 7 meta.Time?
 reason 4 string?
 message 5 string?
DeploymentList kind
 metadata 1 meta.ListMeta?
 items 2 []Deployment
DeploymentSpec
 replicas 1 *int32?
 selector 2 *meta.LabelSelector
 template 3 core.PodTemplateSpec
 strategy 4 DeploymentStrategy? ~retainKeys
 minReadySeconds 5 int32?
 revisionHistoryLimit 6 *int32?
 paused 7 bool?
 progressDeadlineSeconds 9 *int32?
DeploymentStatus
 observedGeneration 1 int64?
 replicas 2 int32?
 updatedReplicas 3 int32?
 readyReplicas 7 int32?
 availableReplicas 4 int32?
 unavailableReplicas 5 int32?
 conditions 6 []DeploymentCondition? =map:type ~merge:type
 collisionCount 8 *int32?
 terminatingReplicas 9 *int32?
DeploymentStrategy
 type 1 string?<DeploymentStrategyType>
 rollingUpdate 2 *RollingUpdateDeployment?
ReplicaSet kind
 metadata 1 meta.ObjectMeta?
 spec 2 ReplicaSetSpec?
 status 3 ReplicaSetStatus?
ReplicaSetCondition
 type 1 string<ReplicaSetConditionType>
 status 2 string<ConditionStatus>
 lastTransitionTime 3 meta.Time?
 reason 4 string?
 message 5 string?
ReplicaSetList kind
 metadata 1 meta.ListMeta?
 items 2 []ReplicaSet
ReplicaSetSpec
 replicas 1 *int32?
 minReadySeconds 4 int32?
 selector 2 *meta.LabelSelector
 template 3 core.PodTemplateSpec?
ReplicaSetStatus
 replicas 1 int32
 fullyLabeledReplicas 2 int32?
 readyReplicas 4 int32?
 availableReplicas 5 int32?
 observedGeneration 3 int64?
 conditions 6 []ReplicaSetCondition? =map:type ~merge:type
 terminatingReplicas 7 *int32?
RollingUpdateDaemonSet
 maxUnavailable 1 *intstr.IntOrString?
 maxSurge 2 *intstr.IntOrString?
RollingUpdateDeployment
 maxUnavailable 1 *intstr.IntOrString?
 maxSurge 2 *intstr.IntOrString?
RollingUpdateStatefulSetStrategy
 partition 1 *int32?
 maxUnavailable 2 *intstr.IntOrString?
StatefulSet kind
 metadata 1 meta.ObjectMeta?
 spec 2 StatefulSetSpec?
 status 3 StatefulSetStatus?
StatefulSetCondition
 type 1 string<StatefulSetConditionType>
 status 2 string<ConditionStatus>
 lastTransitionTime 3 meta.Time?
 reason 4 string?
 message 5 string?
StatefulSetList kind
 metadata 1 meta.ListMeta?
 items 2 []StatefulSet
StatefulSetOrdinals
 start 1 int32+
StatefulSetPersistentVolumeClaimRetentionPolicy
 whenDeleted 1 string?<PersistentVolumeClaimRetentionPolicyType>
 whenScaled 2 string?<PersistentVolumeClaimRetentionPolicyType>
StatefulSetSpec
 replicas 1 *int32?
 selector 2 *meta.LabelSelector
 template 3 core.PodTemplateSpec
 volumeClaimTemplates 4 []core.PersistentVolumeClaim? =atomic
 serviceName 5 string+
 podManagementPolicy 6 string?<PodManagementPolicyType>
 updateStrategy 7 StatefulSetUpdateStrategy?
 revisionHistoryLimit 8 *int32?
 minReadySeconds 9 int32?
 persistentVolumeClaimRetentionPolicy 10 *StatefulSetPersistentVolumeClaimRetentionPolicy?
 ordinals 11 *StatefulSetOrdinals?
StatefulSetStatus
 observedGeneration 1 int64?
 replicas 2 int32
 readyReplicas 3 int32?
 currentReplicas 4 int32?
 updatedReplicas 5 int32?
 currentRevision 6 string?
 updateRevision 7 string?
 collisionCount 9 *int32?
 conditions 10 []StatefulSetCondition? =map:type ~merge:type
 availableReplicas 11 int32+
StatefulSetUpdateStrategy
 type 1 string?<StatefulSetUpdateStrategyType>
 rollingUpdate 2 *RollingUpdateStatefulSetStrategy?
`,
};
