import type { OperationStatus } from '#api/platform/operation-status.ts';
import { objectAt } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import type { JournalRecord } from '#decide/machines/progress.ts';
import type { KubeObject } from '#kube/object.ts';
import { isSameOperation, type Wanted } from './due.ts';
import { recordsOf, retriedRecord } from './journal.ts';

/** The operation that the object is in the middle of, if it is the one that is wanted. */
export function begunOf(object: KubeObject, wanted: Wanted): OperationStatus | undefined {
  const begun = objectAt(object, 'status', 'operation') as OperationStatus | undefined;
  return begun !== undefined && isSameOperation(begun, wanted) ? begun : undefined;
}

export type Standing = {
  readonly isRetried: boolean;
  readonly failures: number;
  readonly retryAt: Instant | undefined;
  readonly records: readonly JournalRecord[];
};

/** Where an operation stands. A change of the spec since the last try means another one now, without pauses. */
export function standingOf(operation: OperationStatus, generation: number, now: Instant): Standing {
  const { observedGeneration = generation, steps = [], retryAt = '' } = operation;
  const isRetried = observedGeneration !== generation;
  const failures = isRetried ? 0 : (operation.failures ?? 0);
  const again = isRetried || failures > 0 ? [retriedRecord(now)] : [];
  return {
    isRetried,
    failures,
    retryAt: isRetried ? undefined : parseTime(retryAt),
    records: [...recordsOf(steps), ...again],
  };
}
