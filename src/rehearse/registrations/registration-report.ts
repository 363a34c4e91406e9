import type { DiffHunk } from '#base/line-diff.ts';

/** The rehearsal of an edit of registrations. Times are seconds after the edit. */
export type RegistrationReport = {
  /** The objects that are changed: `CRDRegistration kuard`. */
  readonly edits: readonly string[];
  readonly seed: number;
  readonly outcome: RegistrationOutcome;
  /** Until nothing changes any more, or `--horizon`. */
  readonly seconds: number;
  readonly registrations: readonly RehearsedRegistration[];
  readonly instances: readonly RehearsedInstance[];
  readonly calls: readonly RehearsedHookCall[];
  /** What a real cluster may do differently. */
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
  /** Objects of kinds that are not run here. */
  readonly notRun: readonly string[];
};

export type RegistrationOutcome =
  | { readonly type: 'Completes' }
  | { readonly type: 'Fails'; readonly message: string }
  /** Instances that are neither ready nor failed when nothing changes any more. */
  | { readonly type: 'Waits'; readonly message: string }
  /** Something still changed at `--horizon`. */
  | { readonly type: 'ReachesHorizon'; readonly message: string };

export type RehearsedRegistration = {
  readonly name: string;
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
};

/** What an instance becomes. `rolls`: its pods are replaced; `changed`: something else of its children. */
export type InstanceResult = 'unchanged' | 'changed' | 'rolls' | 'created' | 'removed' | 'waits' | 'fails';

export type RehearsedInstance = {
  /** `Kuard default/my-kuard`. */
  readonly title: string;
  readonly registration: string;
  readonly result: InstanceResult;
  /** Why it fails or waits. */
  readonly message?: string;
  /** Before the edit it was not ready for the same reason. */
  readonly isOld?: boolean;
  readonly podsBefore: number;
  readonly podsReplaced: number;
  /** The least number of ready pods after the edit. */
  readonly lowestReady: number;
  readonly children: readonly RehearsedChild[];
};

export type RehearsedChild = {
  /** `Deployment default/kuard-my-kuard`. */
  readonly title: string;
  readonly change: 'same' | 'changed' | 'created' | 'removed';
  /** Before and after as YAML. */
  readonly diff: readonly DiffHunk[];
};

export type RehearsedHookCall = {
  readonly at: number;
  readonly registration: string;
  readonly instance: string;
  readonly phase: string;
  /** `200`, or why there was no reply. */
  readonly status: string;
  readonly isGood: boolean;
};

/** 0: every instance is as wanted; 1: one fails; 4: one waits, or the horizon is reached. */
export function registrationExitCode({ type }: RegistrationOutcome): 0 | 1 | 4 {
  switch (type) {
    case 'Completes':
      return 0;
    case 'Fails':
      return 1;
    case 'Waits':
    case 'ReachesHorizon':
      return 4;
  }
}
