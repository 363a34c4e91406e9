import type { Promotion } from '#releases/kinds/release-history.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { DecidedAct } from '#releases/decide/acts/record-act.ts';
import type { PendingAct } from '#releases/decide/acts/pending-act.ts';
import type { Instant } from '#base/time.ts';
import type { PauseCondition } from './pause.ts';
import type { Blocker } from '#releases/model/blocker.ts';

/** The state of the steps in the status. */
export type StepsBefore = {
  readonly updateRevision: string | undefined;
  readonly stepIndex: number | undefined;
  readonly stepHash: string | undefined;
  /** Hashes of the steps up to the current one; undefined when an older version wrote the status. */
  readonly walked: readonly string[] | undefined;
  /** Identifies this walk through the steps. HookRuns of other walks do not count. */
  readonly releaseId: string | undefined;
  /** The last revision that went through all steps. */
  readonly stableRevision: string | undefined;
  readonly abortedRevision: string | undefined;
  /** Why it was aborted, in a sentence. */
  readonly abortedBecause: string | undefined;
  readonly pauses: readonly PauseCondition[];
  /** A promotion past several steps. */
  readonly promotion: Promotion | undefined;
  /** Number of times that the hook of the current step was retried. */
  readonly retries: number;
  /** Number of times that `paused: false` was ignored in the present pause. */
  readonly ignoredResumes: number;
  /** `paused` is false in the spec, and this is counted. */
  readonly isResumeIgnored: boolean;
};

/** The HookRun of the current step. */
export type StepRun =
  /** Not created yet, or not now. */
  | { readonly type: 'none' }
  | { readonly type: 'waiting'; readonly blocker: Blocker }
  | { readonly type: 'good' }
  | { readonly type: 'bad'; readonly name: string; readonly phase: string; readonly message: string }
  /** It cannot be created: the template or a value is missing. */
  | { readonly type: 'impossible'; readonly blocker: Blocker };

export type StepsGiven = {
  readonly before: StepsBefore;
  /** Undefined: no canary block. */
  readonly steps: readonly CanaryStep[] | undefined;
  /** Whether no step ends while updated pods are not ready. */
  readonly isHeldByUnready: boolean;
  readonly replicas: number;
  /** `spec.updateStrategy.paused` in the spec. */
  readonly paused: boolean;
  readonly updateRevision: string;
  /** The revision that pods had before the release. */
  readonly podsRevision: string | undefined;
  /** Pods of the update revision that count as ready and available. */
  readonly updatedReady: number;
  /** Pods of the update revision that do not. */
  readonly updatedUnready: number;
  readonly run: StepRun;
  /** Whether only a promotion ends the pause of a step: `paused: false` does not. */
  readonly needsApproval: boolean;
  /** A request of a user that is not recorded yet. */
  readonly act: PendingAct | undefined;
  /** Whether the request was meant for the state that the status describes. */
  readonly isActMeant: boolean;
  readonly now: Instant;
};

/** What happened because a user wrote `spec.updateStrategy.paused`. */
export type PausedChange =
  | 'user-paused'
  | 'user-resumed'
  /** The pause of a step ended. */
  | 'step-resumed'
  /** The release continues although the hook of the step failed. */
  | 'hook-skipped'
  /** `paused: false` was set back to true. */
  | 'set-back';

/** Why a release was aborted now. */
export type AbortCause = { readonly cause: 'HookFailed' | 'AbortedByUser'; readonly message: string };

export type StepsDecision = {
  /** The steps start again; nothing else changes at this reconcile. */
  readonly isReset: boolean;
  readonly stepIndex: number | undefined;
  readonly stepHash: string | undefined;
  readonly walked: readonly string[] | undefined;
  readonly releaseId: string | undefined;
  readonly stableRevision: string | undefined;
  readonly abortedRevision: string | undefined;
  /** It was aborted at this reconcile. */
  readonly aborted: AbortCause | undefined;
  readonly pauses: readonly PauseCondition[];
  readonly promotion: Promotion | undefined;
  readonly retries: number;
  readonly ignoredResumes: number;
  readonly isResumeIgnored: boolean;
  /** An aborted release starts again. */
  readonly isRestart: boolean;
  readonly act: DecidedAct | undefined;
  readonly pausedChange: PausedChange | undefined;
  /** The new value of `spec.updateStrategy.paused`. */
  readonly paused: boolean;
  /** The new step, for an event. */
  readonly movedTo: number | undefined;
  /** Number of unready updated pods when a user resumes, for an event. */
  readonly resumedUnready: number;
  /** Why the step is not done. */
  readonly blocker: Blocker | undefined;
  readonly wakeAt: Instant | undefined;
};
