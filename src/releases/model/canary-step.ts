import type { Millis } from '#base/time.ts';
import type { CanaryStepSpec, StepHook } from '#releases/kinds/canary.ts';

/** A step of a canary release. What each type does is in decide/steps/<type>-step.ts. */
export type CanaryStep = PartitionStep | PauseStep | HookStep | UnknownStep;

/** The step in the spec: its hash shows whether it was edited. */
type StepBase = { readonly spec: CanaryStepSpec };

/** Update pods until only this number, or this percentage of replicas, is left on old revisions. */
export type PartitionStep = StepBase & { readonly type: 'partition'; readonly partition: number | string };

/** Wait for a duration, or until `paused` is set to false. */
export type PauseStep = StepBase & { readonly type: 'pause'; readonly duration: Millis | undefined };

/** Run a hook and continue when it passes. */
export type HookStep = StepBase & { readonly type: 'hook'; readonly hook: StepHook };

/** No field, several fields, or a field of a newer version. The release stops at it. */
export type UnknownStep = StepBase & { readonly type: 'unknown'; readonly fields: readonly string[] };
