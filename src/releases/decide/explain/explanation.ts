/** Why a release is where it is, what comes next and what a person can do. Times are RFC 3339. */
export type Explanation = {
  /** As commands name it: `gd/shop`. */
  readonly workload: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** When the objects were read. */
  readonly time: string;
  readonly phase: string;
  /** One word: a reason of model/blocker.ts, or the phase. */
  readonly reason: string;
  readonly message: string;
  readonly step?: ExplainedStep;
  readonly revisions: { readonly update: string; readonly stable?: string };
  /** All that the release waits for; the first is what the status names. */
  readonly why: readonly WaitingReason[];
  readonly next: readonly ComingEvent[];
  readonly remedies: readonly Remedy[];
  readonly evidence: ReleaseEvidence;
  /** What casts doubt on the status, and mistakes that do not hold the release back now. */
  readonly warnings: readonly string[];
};

export type ExplainedStep = {
  /** From 1. */
  readonly number: number;
  readonly count: number;
  /** What the step does. */
  readonly what: string;
};

export type WaitingReason = {
  readonly reason: string;
  /** What the reason means in general. */
  readonly meaning?: string;
  readonly messages: readonly string[];
  /** Number of messages that are left out. */
  readonly more?: number;
};

export type ComingEvent = { readonly what: string; readonly at?: string };

export type Remedy = { readonly what: string; readonly command?: string };

export type ReleaseEvidence = {
  readonly hookRuns: readonly RunEvidence[];
  /** Pods that are not in service. */
  readonly pods: readonly PodEvidence[];
  /** Number of such pods that are left out. */
  readonly morePods?: number;
  /** PodDisruptionBudgets that allow no disruption now. */
  readonly budgets: readonly BudgetEvidence[];
  /** The last request of a person, and what it led to. */
  readonly lastRequest?: RequestEvidence;
};

export type RequestEvidence = {
  readonly verb: string;
  /** Claimed, not proved. */
  readonly by?: string;
  readonly time?: string;
  readonly reason?: string;
  /** Done or Ignored. */
  readonly result: string;
  readonly message: string;
};

export type RunEvidence = {
  readonly name: string;
  /** What the run is for: `step 5/5`, or a pod. */
  readonly of: string;
  readonly phase: string;
  readonly message?: string;
  readonly metrics: readonly MetricEvidence[];
};

export type MetricEvidence = {
  readonly name: string;
  readonly phase: string;
  readonly message?: string;
  /** When a value passes or fails. */
  readonly threshold: string;
  /** Number of calls with a result, and of calls to make; without the second the metric has no limit. */
  readonly calls: number;
  readonly callsToMake?: number;
  /** The last ones, newest last. */
  readonly values: readonly MetricValue[];
  readonly nextCall?: string;
};

export type MetricValue = {
  readonly phase: string;
  readonly time?: string;
  readonly value?: string;
  readonly message?: string;
  /** The values in the condition that decided. */
  readonly because?: readonly string[];
};

export type PodEvidence = {
  readonly name: string;
  readonly revision: string;
  readonly cause: string;
  readonly restarts: number;
  readonly node?: string;
};

export type BudgetEvidence = { readonly name: string; readonly disruptionsAllowed: number };
