import type { JsonObject } from '#base/json.ts';
import type { Instant, Millis } from '#base/time.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import type { SpecProblem } from '#machines/decide/problem.ts';
import type { HookGateDecision } from './gate.ts';
import type { OperationPlan } from './operation-state.ts';
import type { Gate } from './segments.ts';
import type { OperationTrouble } from './status.ts';

/** How the work on a segment of the plan ended. */
export type SegmentEnd =
  | { readonly type: 'passed' }
  /** The operation waits. */
  | {
      readonly type: 'later';
      /** The next try. A change does not make it earlier. */
      readonly at?: Instant;
      /** The next look, unless something changes before. */
      readonly wakeAt?: Instant;
      readonly trouble?: OperationTrouble;
      /** Counts as a failure: the pauses between tries grow. */
      readonly isFailure?: boolean;
    }
  /** The run is over: the controller stops, or the object has changed. */
  | { readonly type: 'left' }
  /** Another controller works on the machines. */
  | { readonly type: 'elsewhere'; readonly at: Instant };

/** What happens to a run of an operation. */
export type OperationEvent =
  | { readonly type: 'started' }
  | { readonly type: 'planned'; readonly plan: OperationPlan }
  | { readonly type: 'refused'; readonly problems: readonly SpecProblem[]; readonly isForced: boolean }
  | { readonly type: 'claimed' }
  | { readonly type: 'saved' }
  /** The status was not written: the object is gone, or another controller writes it. */
  | { readonly type: 'lost' }
  | { readonly type: 'segment-ended'; readonly end: SegmentEnd }
  /** `isChanged`: the next run has another plan. */
  | { readonly type: 'left'; readonly isChanged: boolean }
  | { readonly type: 'completed'; readonly changes: JsonObject }
  | SegmentEvent;

/** What happens while a segment of the plan is worked on. */
export type SegmentEvent =
  | { readonly type: 'recorded'; readonly record: JournalRecord }
  | { readonly type: 'host-key-seen'; readonly host: string; readonly key: string }
  | { readonly type: 'gate-decided'; readonly gate: Gate; readonly decision: HookGateDecision }
  | { readonly type: 'paused-by-hook' };

/** An Event of the object. */
export type OperationNote = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
};

/** What the controller does next. An effect that has an answer reports it as an event. */
export type OperationEffect =
  | { readonly type: 'note'; readonly note: OperationNote }
  /** Write the status before anything else happens. */
  | { readonly type: 'flush' }
  /** Write the status soon. */
  | { readonly type: 'touch' }
  | OperationCommand;

export type OperationCommand =
  /** Answer: planned, refused. */
  | { readonly type: 'plan' }
  /** Delete HookRuns of the operation that this one replaces. */
  | { readonly type: 'delete-hook-runs' }
  /** Write the status if it has not changed since. Answer: claimed, lost. */
  | { readonly type: 'claim' }
  /** Answer: segment-ended. */
  | { readonly type: 'run-gates'; readonly gates: readonly Gate[] }
  | { readonly type: 'run-stages'; readonly index: number }
  /** Answer: completed. */
  | { readonly type: 'complete'; readonly plan: OperationPlan }
  /** Answer: saved, lost. */
  | { readonly type: 'save' }
  /** Save what can be saved. Answer: left. */
  | { readonly type: 'leave' }
  | { readonly type: 'stop'; readonly pause: OperationPause };

export type OperationPause =
  | { readonly type: 'for'; readonly span: Millis }
  /** Without a time: until something changes. */
  | { readonly type: 'until'; readonly at: Instant | undefined };
