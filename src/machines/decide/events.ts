import type { Instant } from '#base/time.ts';
import type { OperationState, TaskOutcome, TaskState } from './progress.ts';

/** What the engine tells while it works: the display and `-o json` are made of it. No secrets, no arguments. */
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
  /** Files on their way to a node: bytes that are there, of all; now and then, and only when there are many. */
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
