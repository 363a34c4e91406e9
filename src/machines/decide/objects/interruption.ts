import type { OperationStatus } from '#machines/kinds/operation-status.ts';
import { isSameOperation, type DueOperation } from './due.ts';

/** What a change means for the run of an operation. */
export type Interruption =
  /** What runs on the machines is ended. */
  | { readonly type: 'cancel'; readonly reason: string }
  /** Scripts on the machines continue; the next run of the operation finds them. */
  | { readonly type: 'leave'; readonly reason: string };

export function interruptionOf(given: {
  readonly operation: OperationStatus;
  /** Undefined: the object is gone. */
  readonly due: DueOperation | undefined;
  readonly isPaused: boolean;
  readonly isChanged: boolean;
}): Interruption | undefined {
  const { operation, due, isPaused, isChanged } = given;
  if (due === undefined) return { type: 'cancel', reason: 'the object is gone' };
  if (due.type === 'wait' && due.isFinal !== true) return undefined;
  if (due.type !== 'operate' || !isSameOperation(operation, due.wanted))
    return { type: 'cancel', reason: 'another operation is due' };
  if (isPaused) return { type: 'leave', reason: 'paused' };
  // The next run has another plan for what is left to do.
  return isChanged ? { type: 'leave', reason: 'the object was changed' } : undefined;
}
