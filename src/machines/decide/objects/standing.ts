import type { OperationStatus } from '#machines/kinds/operation-status.ts';
import { operationOf } from '#machines/read.ts';
import { formatTime, parseTime, type Instant } from '#base/time.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import type { KubeObject } from '#kube/object.ts';
import { isSameOperation, type WantedOperation } from './due.ts';
import { filesStep } from './files-step.ts';
import { recordsOf, retriedRecord } from './journal.ts';

/** The started operation of the object, if it is the wanted one. */
export function begunOf(object: KubeObject, wanted: WantedOperation): OperationStatus | undefined {
  const begun = operationOf(object);
  return begun !== undefined && isSameOperation(begun, wanted) ? begun : undefined;
}

/** A new operation; `tag` distinguishes operations of the same second. */
export function freshOperation(
  { kind, nodes, version }: WantedOperation,
  now: Instant,
  tag: string,
): OperationStatus {
  const time = formatTime(now).replaceAll(/[-:]/g, '').toLowerCase();
  return {
    id: `${time}-${kind.replace('.', '-')}-${tag}`,
    type: kind,
    startedAt: formatTime(now),
    ...(version !== undefined && { version }),
    ...(nodes.length > 0 && { nodes: [...nodes] }),
  };
}

export type OperationStanding = {
  readonly isRetried: boolean;
  readonly failures: number;
  readonly retryAt: Instant | undefined;
  readonly records: readonly JournalRecord[];
};

/**
 * The state of an operation. A change of the spec since the last try starts another one now, without pauses, and with
 * the current files: a corrected script replaces the old one on all machines.
 */
export function standingOf(
  operation: OperationStatus,
  { generation, isEdited }: { readonly generation: number; readonly isEdited: boolean },
  now: Instant,
): OperationStanding {
  const { observedGeneration = generation, steps = [], retryAt = '' } = operation;
  const isRetried = isEdited || observedGeneration !== generation;
  const known = isRetried ? steps.filter(({ name }) => name !== filesStep) : steps;
  const failures = isRetried ? 0 : (operation.failures ?? 0);
  const again = isRetried || failures > 0 ? [retriedRecord(now)] : [];
  return {
    isRetried,
    failures,
    retryAt: isRetried ? undefined : parseTime(retryAt),
    records: [...recordsOf(known), ...again],
  };
}
