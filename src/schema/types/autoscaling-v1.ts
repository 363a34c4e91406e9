import type { TypePackage } from './type-package.ts';

/** Every type of autoscaling/v1, one line per type and per field (see parse-lines.ts). */
export const autoscalingV1: TypePackage = {
  name: 'io.k8s.api.autoscaling.v1',
  alias: 'autoscaling',
  group: 'autoscaling',
  version: 'v1',
  lines: `
ContainerResourceMetricSource
 name 1 string<ResourceName>
 targetAverageUtilization 2 *int32?
 targetAverageValue 3 *resource.Quantity?
 container 5 string
ContainerResourceMetricStatus
 name 1 string<ResourceName>
 currentAverageUtilization 2 *int32?
 currentAverageValue 3 resource.Quantity
 container 4 string
CrossVersionObjectReference atomic
 kind 1 string
 name 2 string
 apiVersion 3 string?
ExternalMetricSource
 metricName 1 string
 metricSelector 2 *meta.LabelSelector?
 targetValue 3 *resource.Quantity?
 targetAverageValue 4 *resource.Quantity?
ExternalMetricStatus
 metricName 1 string
 metricSelector 2 *meta.LabelSelector?
 currentValue 3 resource.Quantity
 currentAverageValue 4 *resource.Quantity?
HorizontalPodAutoscaler kind
 metadata 1 meta.ObjectMeta?
 spec 2 HorizontalPodAutoscalerSpec?
 status 3 HorizontalPodAutoscalerStatus?
HorizontalPodAutoscalerCondition
 type 1 string<HorizontalPodAutoscalerConditionType>
 status 2 string<ConditionStatus>
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
 targetCPUUtilizationPercentage 4 *int32?
HorizontalPodAutoscalerStatus
 observedGeneration 1 *int64?
 lastScaleTime 2 *meta.Time?
 currentReplicas 3 int32
 desiredReplicas 4 int32
 currentCPUUtilizationPercentage 5 *int32?
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
ObjectMetricSource
 target 1 CrossVersionObjectReference
 metricName 2 string
 targetValue 3 resource.Quantity
 selector 4 *meta.LabelSelector?
 averageValue 5 *resource.Quantity?
ObjectMetricStatus
 target 1 CrossVersionObjectReference
 metricName 2 string
 currentValue 3 resource.Quantity
 selector 4 *meta.LabelSelector?
 averageValue 5 *resource.Quantity?
PodsMetricSource
 metricName 1 string
 targetAverageValue 2 resource.Quantity
 selector 3 *meta.LabelSelector?
PodsMetricStatus
 metricName 1 string
 currentAverageValue 2 resource.Quantity
 selector 3 *meta.LabelSelector?
ResourceMetricSource
 name 1 string<ResourceName>
 targetAverageUtilization 2 *int32?
 targetAverageValue 3 *resource.Quantity?
ResourceMetricStatus
 name 1 string<ResourceName>
 currentAverageUtilization 2 *int32?
 currentAverageValue 3 resource.Quantity
Scale kind
 metadata 1 meta.ObjectMeta?
 spec 2 ScaleSpec?
 status 3 ScaleStatus?
ScaleSpec
 replicas 1 int32? :=0
ScaleStatus
 replicas 1 int32
 selector 2 string?
`,
};
