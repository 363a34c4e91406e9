import type { TypePackage } from './type-package.ts';

/** Every type of policy/v1, one line per type and per field (see parse-lines.ts). */
export const policyV1: TypePackage = {
  name: 'io.k8s.api.policy.v1',
  alias: 'policy',
  group: 'policy',
  version: 'v1',
  lines: `
Eviction kind
 metadata 1 meta.ObjectMeta?
 deleteOptions 2 *meta.DeleteOptions?
PodDisruptionBudget kind
 metadata 1 meta.ObjectMeta?
 spec 2 PodDisruptionBudgetSpec?
 status 3 PodDisruptionBudgetStatus?
PodDisruptionBudgetList kind
 metadata 1 meta.ListMeta?
 items 2 []PodDisruptionBudget
PodDisruptionBudgetSpec
 minAvailable 1 *intstr.IntOrString?
 selector 2 *meta.LabelSelector? ~replace
 maxUnavailable 3 *intstr.IntOrString?
 unhealthyPodEvictionPolicy 4 *string?<UnhealthyPodEvictionPolicyType>
PodDisruptionBudgetStatus
 observedGeneration 1 int64?
 disruptedPods 2 {}meta.Time?
 disruptionsAllowed 3 int32
 currentHealthy 4 int32
 desiredHealthy 5 int32
 expectedPods 6 int32
 conditions 7 []meta.Condition? =map:type ~merge:type
`,
};
