import type { Instant } from '#base/time.ts';
import type { OperationState, TaskOutcome, TaskState } from './progress.ts';

/** What the engine reports while it works, for the display and `-o json`. Without secrets and arguments. */
export type ProgressEvent =
  | {
      readonly type: 'operation';
      readonly at: Instant;
      readonly id: string;
      readonly state: OperationState;
      readonly message?: string;
      /** While Blocked: when the next try begins. */
      readonly wakeAt?: Instant;
    }
  | {
      readonly type: 'task';
      readonly at: Instant;
      readonly step: string;
      readonly title: string;
      readonly node: string;
      readonly state: TaskState;
      readonly attempt: number;
      readonly outcome?: TaskOutcome;
      /** The whole output, on the operator's machine. */
      readonly log?: string;
    }
  | {
      readonly type: 'output';
      readonly at: Instant;
      readonly step: string;
      readonly node: string;
      readonly stream: 'stdout' | 'stderr';
      readonly line: string;
    }
  /** Progress of a file transfer: bytes sent of all bytes. Reported at intervals, and for large transfers only. */
  | {
      readonly type: 'copy';
      readonly at: Instant;
      readonly step: string;
      readonly node: string;
      readonly bytes: number;
      readonly total: number;
    }
  | {
      readonly type: 'notice';
      readonly at: Instant;
      readonly node?: string;
      readonly message: string;
    };
