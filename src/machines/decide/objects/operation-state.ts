import type { GateStatus, OperationStatus } from '#machines/kinds/operation-status.ts';
import type { Json, JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { isRemoval } from '#machines/decide/model.ts';
import { replay, type JournalRecord, type OperationProgress } from '#machines/decide/progress.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import type { GateView } from './conditions.ts';
import type { WantedOperation } from './due.ts';
import { hostKeysIn } from './host-keys.ts';
import { pausesLeft } from './pauses.ts';
import type { ObjectPlan, PreparedObject } from './plan-object.ts';
import { begunOf, freshOperation, standingOf } from './standing.ts';
import type { OperationTrouble } from './status.ts';

export type OperationPlan = { readonly planned: ObjectPlan; readonly prepared: PreparedObject };

/** Where a run of an operation is. */
export type OperationStage =
  /** A plan is made, and the object's status is claimed. */
  | { readonly type: 'starting' }
  /** No plan can be made. */
  | { readonly type: 'refused'; readonly isForced: boolean }
  /** The segment of the plan with this index is worked on; past the last one the operation is completed. */
  | { readonly type: 'working'; readonly index: number }
  /** This controller does nothing until `until`, or until something changes. */
  | { readonly type: 'waiting'; readonly until: Instant | undefined }
  /** Another controller works on the machines. */
  | { readonly type: 'elsewhere' }
  /** The operation is over; `changes` go into the status of the object. */
  | { readonly type: 'ended'; readonly changes: JsonObject; readonly isForced: boolean };

/** What stays the same during a run. */
export type RunSubject = {
  readonly wanted: WantedOperation;
  readonly operation: OperationStatus;
  readonly isCluster: boolean;
  /** The operation begins with this run. */
  readonly isFresh: boolean;
  /** Another process worked on the operation last, and may still do so. */
  readonly isForeign: boolean;
  /** The spec or the plan's other inputs have changed since the last try. */
  readonly isRetried: boolean;
  /** The object is being deleted, and this operation removes it from its machines. */
  readonly isDeletion: boolean;
  /** The generation of the spec that the plan is made from. */
  readonly generation: number;
};

/** A run of an operation as a value. */
export type OperationRunState = {
  readonly about: RunSubject;
  readonly stage: OperationStage;
  readonly plan: OperationPlan | undefined;
  readonly progress: OperationProgress;
  readonly records: readonly JournalRecord[];
  readonly gates: ReadonlyMap<string, GateStatus>;
  readonly holds: GateView['holds'];
  readonly hostKeys: ReadonlyMap<string, string>;
  readonly pauses: Json | undefined;
  readonly trouble: OperationTrouble | undefined;
  /** Failures in a row. */
  readonly failures: number;
  readonly retryAt: Instant | undefined;
};

export type OperationStart = {
  readonly object: KubeObject;
  readonly wanted: WantedOperation;
  readonly isCluster: boolean;
  readonly generation: number;
  /** The inputs of its plan have changed in a way that no generation shows. */
  readonly isEdited: boolean;
  /** This process. */
  readonly holder: string;
  /** Distinguishes operations that begin in the same second. */
  readonly tag: string;
};

/** The state in which a run begins: what the object's status has of the operation, or a new operation. */
export function startOperation(start: OperationStart, now: Instant): OperationRunState {
  const { object, wanted, isCluster, generation, isEdited, holder } = start;
  const begun = begunOf(object, wanted);
  const operation = begun ?? freshOperation(wanted, now, start.tag);
  const { isRetried, failures, retryAt, records } = standingOf(operation, { generation, isEdited }, now);
  return {
    about: {
      wanted,
      operation,
      isCluster,
      isFresh: begun === undefined,
      isForeign: (operation.holder ?? holder) !== holder,
      isRetried,
      isDeletion: isRemoval(wanted.kind) && isDeleting(object),
      generation,
    },
    stage: { type: 'starting' },
    plan: undefined,
    progress: replay(records),
    records,
    gates: new Map((operation.gates ?? []).map((gate) => [gate.name, gate])),
    holds: new Map(),
    hostKeys: new Map(hostKeysIn(object)),
    pauses: begun === undefined ? undefined : pausesLeft(object),
    trouble: undefined,
    failures,
    retryAt,
  };
}
