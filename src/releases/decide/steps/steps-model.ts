import type { CanaryStep } from '#releases/decide/model/canary-step.ts';
import type { Instant } from '#base/time.ts';
import type { PauseCondition } from './pause.ts';
import type { Blocker } from '#releases/decide/model/blocker.ts';

/** What the status said of the release at the last look. */
export type StepsBefore = {
  readonly updateRevision: string | undefined;
  readonly stepIndex: number | undefined;
  readonly stepHash: string | undefined;
  /** Hashes of the steps up to the current one; undefined when an earlier version wrote the status. */
  readonly walked: readonly string[] | undefined;
  /** Identifies this walk through the steps. HookRuns of another walk decide nothing. */
  readonly releaseId: string | undefined;
  /** The last revision that went through all steps. */
  readonly stableRevision: string | undefined;
  readonly abortedRevision: string | undefined;
  readonly pauses: readonly PauseCondition[];
};

/** How the run of the current hook step stands. */
export type StepRun =
  /** Not asked yet, or not to be asked now. */
  | { readonly type: 'none' }
  | { readonly type: 'waiting'; readonly blocker: Blocker }
  | { readonly type: 'good' }
  | { readonly type: 'bad'; readonly name: string; readonly phase: string; readonly message: string }
  /** It cannot be asked: the template is missing, or a value. */
  | { readonly type: 'impossible'; readonly blocker: Blocker };

export type StepsGiven = {
  readonly before: StepsBefore;
  /** Undefined: no canary block. */
  readonly steps: readonly CanaryStep[] | undefined;
  /** Whether updated pods that are not ready keep every step from ending. */
  readonly isHeldByUnready: boolean;
  readonly replicas: number;
  /** `spec.updateStrategy.paused` as it stands. */
  readonly paused: boolean;
  readonly updateRevision: string;
  /** The oldest revision that a pod has. */
  readonly podsRevision: string | undefined;
  /** Pods of the update revision that count as ready and available. */
  readonly updatedReady: number;
  /** Pods of the update revision that do not. */
  readonly updatedUnready: number;
  readonly run: StepRun;
  readonly now: Instant;
};

export type StepsDecision = {
  /** True: everything else waits for the next look. */
  readonly isReset: boolean;
  readonly stepIndex: number | undefined;
  readonly stepHash: string | undefined;
  readonly walked: readonly string[] | undefined;
  readonly releaseId: string | undefined;
  readonly stableRevision: string | undefined;
  readonly abortedRevision: string | undefined;
  readonly pauses: readonly PauseCondition[];
  /** What `spec.updateStrategy.paused` shall be. */
  readonly paused: boolean;
  /** Set when the step changed: it becomes an event. */
  readonly movedTo: number | undefined;
  /** A person resumed although so many updated pods are not ready: it becomes an event. */
  readonly resumedUnready: number;
  /** Why the step is not done. */
  readonly blocker: Blocker | undefined;
  readonly wakeAt: Instant | undefined;
};
