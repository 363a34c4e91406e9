import type { OperationKind } from '#machines/decide/model.ts';

/** The rehearsal of an operation on machines. Times are seconds after its start. */
export type OperationReport = {
  readonly cluster: string;
  /** As commands name it: `upgrade`. */
  readonly verb: string;
  readonly operation: OperationKind;
  readonly installer: string;
  /** The version in the file. */
  readonly version?: string;
  readonly seed: number;
  readonly outcome: OperationOutcome;
  /** Until the operation has ended, without its rollback. */
  readonly seconds: number;
  readonly tasks: readonly RehearsedTask[];
  readonly machines: readonly RehearsedMachine[];
  readonly rollback: RehearsedRollback;
  /** While the only control plane does not answer. */
  readonly downtime?: ControlPlaneDowntime;
  /** What real machines may do differently. */
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
};

export type OperationOutcome =
  | { readonly type: 'Completes' }
  /** Some machines are left out, the others are done. */
  | { readonly type: 'CompletesPartly'; readonly message: string; readonly failures: readonly StoppedTask[] }
  | {
      readonly type: 'Fails';
      readonly message: string;
      readonly failures: readonly StoppedTask[];
      readonly remedies: readonly string[];
    }
  | { readonly type: 'WaitsForApproval'; readonly message: string }
  /** It had not ended at `--horizon`. */
  | { readonly type: 'ReachesHorizon'; readonly message: string };

/** Where and why an operation stops. */
export type StoppedTask = { readonly node: string; readonly step: string; readonly message: string };

/** One attempt at a step on a machine. */
export type RehearsedTask = {
  readonly node: string;
  /** The id of the step in the plan. */
  readonly step: string;
  readonly title: string;
  readonly attempt: number;
  readonly startedAt: number;
  /** Undefined: it had not ended when the rehearsal ended. */
  readonly endedAt?: number;
  readonly result: TaskResult;
  readonly message?: string;
};

export type TaskResult =
  'succeeded' | 'unchanged' | 'failed' | 'timed out' | 'unreachable' | 'unknown' | 'cancelled' | 'running';

export type RehearsedMachine = {
  readonly node: string;
  readonly address: string;
  readonly roles: readonly string[];
  /** Before the operation, or `unknown`; undefined: not a member, or the installer has no versions. */
  readonly versionBefore?: string;
  readonly versionAfter?: string;
  /** Its tasks that had ended well, and all that were planned. */
  readonly done: number;
  readonly planned: number;
  /** In words: `done`, `stopped at PreUpgrade`, `skipped: …`. */
  readonly state: string;
  readonly isDone: boolean;
};

export type RehearsedRollback =
  /** The operation completes, or has no rollback. */
  | { readonly type: 'None'; readonly message: string }
  | {
      readonly type: 'Runs';
      /** As commands name it: `cleanup`. */
      readonly verb: string;
      readonly nodes: readonly string[];
      readonly startedAt: number;
      readonly seconds: number;
      readonly isComplete: boolean;
      readonly tasks: readonly RehearsedTask[];
    };

export type ControlPlaneDowntime = { readonly node: string; readonly from: number; readonly to: number };

/** 0: completes; 1: fails, also on some machines only; 4: waits for a user or reaches the horizon. */
export function operationExitCode({ type }: OperationOutcome): 0 | 1 | 4 {
  switch (type) {
    case 'Completes':
      return 0;
    case 'CompletesPartly':
    case 'Fails':
      return 1;
    case 'WaitsForApproval':
    case 'ReachesHorizon':
      return 4;
  }
}
