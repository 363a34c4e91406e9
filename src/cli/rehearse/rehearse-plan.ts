import type { JsonObject } from '#base/json.ts';
import type { Millis } from '#base/time.ts';
import type { ProfileName } from '#embedded/nodes/tuning/profiles.ts';
import type { KubeObject } from '#kube/object.ts';
import type { RehearsedBudget } from '#rehearse/rehearsal-report.ts';
import type { RehearsedAnswer } from './hook-answers.ts';

/** Who continues at a pause without a duration. */
export type ApprovePolicy =
  { readonly type: 'auto' } | { readonly type: 'never' } | { readonly type: 'after'; readonly wait: Millis };

/** How simulated pods behave. */
export type PodBehaviour = {
  readonly slowStart?: Millis;
  /** The share of pods that crash again and again, from 0 to 1. */
  readonly crash?: number;
};

/** A rehearsal of one workload. */
export type RehearsePlan = {
  /** All objects, each with its namespace, without the workload. */
  readonly objects: readonly KubeObject[];
  /** Before the change. */
  readonly workload: KubeObject;
  /** Its spec after the change. */
  readonly spec: JsonObject;
  /** The images that the change sets. */
  readonly images: readonly string[];
  /** The change in words. */
  readonly change: string;
  /** PodDisruptionBudgets of its pods. */
  readonly budgets: readonly RehearsedBudget[];
  readonly hooks: ReadonlyMap<string, RehearsedAnswer>;
  readonly isLive: boolean;
  readonly pods: PodBehaviour;
  readonly approve: ApprovePolicy;
  readonly horizon: Millis;
  readonly profile: ProfileName;
  /** Mistakes in the manifest of the workload, and objects that are missing. */
  readonly warnings: readonly string[];
  /** What a real release may do differently. */
  readonly assumptions: readonly string[];
};
