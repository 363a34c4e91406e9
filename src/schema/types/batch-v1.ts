import type { TypePackage } from './type-package.ts';

/** Every type of batch/v1, one line per type and per field (see parse-lines.ts). */
export const batchV1: TypePackage = {
  name: 'io.k8s.api.batch.v1',
  alias: 'batch',
  group: 'batch',
  version: 'v1',
  lines: `
CronJob kind
 metadata 1 meta.ObjectMeta?
 spec 2 CronJobSpec?
 status 3 CronJobStatus?
CronJobList kind
 metadata 1 meta.ListMeta?
 items 2 []CronJob
CronJobSpec
 schedule 1 string
 timeZone 8 *string?
 startingDeadlineSeconds 2 *int64?
 concurrencyPolicy 3 string?<ConcurrencyPolicy>
 suspend 4 *bool?
 jobTemplate 5 JobTemplateSpec
 successfulJobsHistoryLimit 6 *int32?
 failedJobsHistoryLimit 7 *int32?
CronJobStatus
 active 1 []core.ObjectReference? =atomic
 lastScheduleTime 4 *meta.Time?
 lastSuccessfulTime 5 *meta.Time?
Job kind
 metadata 1 meta.ObjectMeta?
 spec 2 JobSpec?
 status 3 JobStatus?
JobCondition
 type 1 string<JobConditionType>
 status 2 string<ConditionStatus>
 lastProbeTime 3 meta.Time?
 lastTransitionTime 4 meta.Time?
 reason 5 string?
 message 6 string?
JobList kind
 metadata 1 meta.ListMeta?
 items 2 []Job
JobSpec
 parallelism 1 *int32?
 completions 2 *int32?
 activeDeadlineSeconds 3 *int64?
 podFailurePolicy 11 *PodFailurePolicy?
 successPolicy 16 *SuccessPolicy?
 backoffLimit 7 *int32?
 backoffLimitPerIndex 12 *int32?
 maxFailedIndexes 13 *int32?
 selector 4 *meta.LabelSelector?
 manualSelector 5 *bool?
 template 6 core.PodTemplateSpec
 ttlSecondsAfterFinished 8 *int32?
 completionMode 9 *string?<CompletionMode>
 suspend 10 *bool?
 podReplacementPolicy 14 *string?<PodReplacementPolicy>
 managedBy 15 *string?
JobStatus
 conditions 1 []JobCondition? =atomic ~merge:type
 startTime 2 *meta.Time?
 completionTime 3 *meta.Time?
 active 4 int32?
 succeeded 5 int32?
 failed 6 int32?
 terminating 11 *int32?
 completedIndexes 7 string?
 failedIndexes 10 *string?
 uncountedTerminatedPods 8 *UncountedTerminatedPods?
 ready 9 *int32?
JobTemplateSpec
 metadata 1 meta.ObjectMeta?
 spec 2 JobSpec?
PodFailurePolicy
 rules 1 []PodFailurePolicyRule =atomic
PodFailurePolicyOnExitCodesRequirement
 containerName 1 *string?
 operator 2 string<PodFailurePolicyOnExitCodesOperator>
 values 3 []int32 =set
PodFailurePolicyOnPodConditionsPattern
 type 1 string<PodConditionType>
 status 2 string<ConditionStatus>
PodFailurePolicyRule
 action 1 string<PodFailurePolicyAction>
 onExitCodes 2 *PodFailurePolicyOnExitCodesRequirement?
 onPodConditions 3 []PodFailurePolicyOnPodConditionsPattern? =atomic
SuccessPolicy
 rules 1 []SuccessPolicyRule =atomic
SuccessPolicyRule
 succeededIndexes 1 *string?
 succeededCount 2 *int32?
UncountedTerminatedPods
 succeeded 1 []string?<types.UID> =set
 failed 2 []string?<types.UID> =set
`,
};
