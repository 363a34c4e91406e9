import type { StepState } from '#releases/decide/view/step-track.ts';

/** Times are seconds after the change of the template. */
export type RehearsalReport = {
  /** As commands name it: `gd/shop`. */
  readonly workload: string;
  readonly namespace: string;
  readonly change: string;
  readonly strategy: string;
  readonly replicas: number;
  /** Only the number of replicas was changed, and not the template. */
  readonly isScaledOnly: boolean;
  readonly seed: number;
  readonly outcome: RehearsalOutcome;
  /** Until the release was complete, or could not continue. */
  readonly seconds: number;
  readonly steps: readonly RehearsedStep[];
  readonly hooks: readonly RehearsedHook[];
  readonly approvals: readonly AssumedApproval[];
  readonly pods: readonly PodSample[];
  readonly availability: RehearsedAvailability;
  /** PodDisruptionBudgets that protect the pods. */
  readonly budgets: readonly RehearsedBudget[];
  /** What a real release may do differently. */
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
  /** Objects of kinds that are not run here. */
  readonly notRun: readonly string[];
};

export type RehearsalOutcome =
  | { readonly type: 'Completes' }
  /** A hook failed, or the release cannot continue. */
  | {
      readonly type: 'Stops';
      readonly reason: string;
      readonly message: string;
      readonly remedies: readonly string[];
      /** From 1. */
      readonly step?: number;
    }
  | { readonly type: 'WaitsForApproval'; readonly message: string; readonly step?: number }
  /** A user has paused it, or must delete pods. */
  | { readonly type: 'WaitsForUser'; readonly message: string; readonly step?: number }
  /** It was neither complete nor stopped at `--horizon`. */
  | { readonly type: 'ReachesHorizon'; readonly message: string; readonly step?: number };

export type RehearsedStep = {
  /** From 1. */
  readonly number: number;
  readonly title: string;
  readonly state: StepState;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Pods of the new revision in service when it ended, or last. */
  readonly updated: number;
  /** The least number of pods in service during the step. */
  readonly lowest?: number;
};

export type RehearsedHook = {
  readonly name: string;
  readonly template: string;
  /** canary-step, pre-delete, pre-inplace or post-inplace. */
  readonly point: string;
  /** From 1. */
  readonly step?: number;
  readonly phase: string;
  readonly message: string;
  readonly calls: readonly RehearsedCall[];
};

export type RehearsedCall = {
  readonly at: number;
  readonly metric: string;
  readonly phase: string;
  readonly value?: string;
  readonly message?: string;
  /** The values in the condition that decided. */
  readonly because?: string;
};

export type AssumedApproval = { readonly at: number; readonly step?: number };

/** Pods at a time: those of the new revision and all others, each in total and in service. */
export type PodSample = {
  readonly at: number;
  readonly updated: number;
  readonly updatedInService: number;
  readonly others: number;
  readonly othersInService: number;
};

export type RehearsedAvailability = {
  /** The least number of pods in service, and when. */
  readonly lowest: number;
  readonly lowestAt: number;
  /** What maxUnavailable promises: pods that a change adds are not among them. */
  readonly promised: number;
};

export type RehearsedBudget = {
  readonly name: string;
  /** The number of pods that it wants in service. */
  readonly wanted: number;
  /** The number of pods that it protects: the lower one before and after the change. */
  readonly pods: number;
  /** Those of them that belong to other workloads; they are assumed to be in service. */
  readonly others: number;
};

/** 0: completes; 1: stops; 4: waits for a user or reaches the horizon. */
export function exitCodeOf({ type }: RehearsalOutcome): 0 | 1 | 4 {
  switch (type) {
    case 'Completes':
      return 0;
    case 'Stops':
      return 1;
    case 'WaitsForApproval':
    case 'WaitsForUser':
    case 'ReachesHorizon':
      return 4;
  }
}
