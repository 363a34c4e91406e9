import type { TypePackage } from './type-package.ts';

/** Every type of autoscaling/v2, one line per type and per field (see parse-lines.ts). */
export const autoscalingV2: TypePackage = {
  name: 'io.k8s.api.autoscaling.v2',
  alias: 'autoscaling2',
  group: 'autoscaling',
  version: 'v2',
  lines: `
ContainerResourceMetricSource
 name 1 string<v1.ResourceName>
 target 2 MetricTarget
 container 3 string
ContainerResourceMetricStatus
 name 1 string<v1.ResourceName>
 current 2 MetricValueStatus
 container 3 string
CrossVersionObjectReference
 kind 1 string
 name 2 string
 apiVersion 3 string?
ExternalMetricSource
 metric 1 MetricIdentifier
 target 2 MetricTarget
ExternalMetricStatus
 metric 1 MetricIdentifier
 current 2 MetricValueStatus
HPAScalingPolicy
 type 1 string<HPAScalingPolicyType>
 value 2 int32
 periodSeconds 3 int32
HPAScalingRules
 stabilizationWindowSeconds 3 *int32?
 selectPolicy 1 *string?<ScalingPolicySelect>
 policies 2 []HPAScalingPolicy? =atomic
 tolerance 4 *resource.Quantity?
HorizontalPodAutoscaler kind
 metadata 1 meta.ObjectMeta?
 spec 2 HorizontalPodAutoscalerSpec?
 status 3 HorizontalPodAutoscalerStatus?
HorizontalPodAutoscalerBehavior
 scaleUp 1 *HPAScalingRules?
 scaleDown 2 *HPAScalingRules?
HorizontalPodAutoscalerCondition
 type 1 string<HorizontalPodAutoscalerConditionType>
 status 2 string<v1.ConditionStatus>
 lastTransitionTime 3 meta.Time?
 reason 4 string?
 message 5 string?
HorizontalPodAutoscalerList kind
 metadata 1 meta.ListMeta?
 items 2 []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec
 scaleTargetRef 1 CrossVersionObjectReference
 minReplicas 2 *int32?
 maxReplicas 3 int32
 metrics 4 []MetricSpec? =atomic
 behavior 5 *HorizontalPodAutoscalerBehavior?
HorizontalPodAutoscalerStatus
 observedGeneration 1 *int64?
 lastScaleTime 2 *meta.Time?
 currentReplicas 3 int32?
 desiredReplicas 4 int32
 currentMetrics 5 []MetricStatus+ =atomic
 conditions 6 []HorizontalPodAutoscalerCondition? =map:type ~merge:type
MetricIdentifier
 name 1 string
 selector 2 *meta.LabelSelector?
MetricSpec
 type 1 string<MetricSourceType>
 object 2 *ObjectMetricSource?
 pods 3 *PodsMetricSource?
 resource 4 *ResourceMetricSource?
 containerResource 7 *ContainerResourceMetricSource?
 external 5 *ExternalMetricSource?
MetricStatus
 type 1 string<MetricSourceType>
 object 2 *ObjectMetricStatus?
 pods 3 *PodsMetricStatus?
 resource 4 *ResourceMetricStatus?
 containerResource 7 *ContainerResourceMetricStatus?
 external 5 *ExternalMetricStatus?
MetricTarget
 type 1 string<MetricTargetType>
 value 2 *resource.Quantity?
 averageValue 3 *resource.Quantity?
 averageUtilization 4 *int32?
MetricValueStatus
 value 1 *resource.Quantity?
 averageValue 2 *resource.Quantity?
 averageUtilization 3 *int32?
ObjectMetricSource
 describedObject 1 CrossVersionObjectReference
 target 2 MetricTarget
 metric 3 MetricIdentifier
ObjectMetricStatus
 metric 1 MetricIdentifier
 current 2 MetricValueStatus
 describedObject 3 CrossVersionObjectReference
PodsMetricSource
 metric 1 MetricIdentifier
 target 2 MetricTarget
PodsMetricStatus
 metric 1 MetricIdentifier
 current 2 MetricValueStatus
ResourceMetricSource
 name 1 string<v1.ResourceName>
 target 2 MetricTarget
ResourceMetricStatus
 name 1 string<v1.ResourceName>
 current 2 MetricValueStatus
`,
};
