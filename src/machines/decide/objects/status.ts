import type { GateStatus, OperationStatus, PlatformPhase } from '#machines/kinds/operation-status.ts';
import { formatMicroTime, formatTime, type Instant } from '#base/time.ts';
import { listAt, objectAt, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { Condition } from '#kube/conditions.ts';
import { conditionsOf, failureReason } from '#machines/decide/conditions.ts';
import type { OperationKind } from '#machines/decide/model.ts';
import type { OperationProgress } from '#machines/decide/progress.ts';
import { firstOpen, mergeConditions, skipped, withGates, type GateView } from './conditions.ts';
import { compactSteps } from './journal.ts';
import type { PauseReason } from './pauses.ts';
import type { ObjectPlan } from './plan-object.ts';

/** A reason why an operation does not proceed, other than a failed step. */
export type OperationTrouble = {
  readonly reason: string;
  readonly message: string;
  /** Conditions that show it; undefined: the first that is not True, if `isFailure`. */
  readonly conditions?: readonly Condition[];
  readonly isFailure: boolean;
};

/** What the status of an object is made from during an operation. */
export type OperationView = {
  readonly kind: OperationKind;
  /** A Cluster, else a Machine. */
  readonly isCluster: boolean;
  readonly operation: Omit<OperationStatus, 'steps' | 'gates' | 'retryAt'>;
  readonly generation: number;
  readonly progress: OperationProgress;
  readonly gates: GateView;
  readonly planned: ObjectPlan | undefined;
  readonly trouble: OperationTrouble | undefined;
  readonly retryAt: Instant | undefined;
  readonly hostKeys: ReadonlyMap<string, string>;
  readonly skips: readonly string[];
};

const phases: Readonly<Record<OperationKind, PlatformPhase>> = {
  bootstrap: 'Initializing',
  'cluster.create': 'Initializing',
  'cluster.upgrade': 'Upgrading',
  'cluster.delete': 'Terminating',
  'node.join': 'Initializing',
  'node.upgrade': 'Upgrading',
  'node.delete': 'Terminating',
};
const masterPhases: Partial<Record<OperationKind, PlatformPhase>> = {
  'node.join': 'Upscaling',
  'node.delete': 'Downscaling',
};

/** The status of an object during an operation. */
export function statusDuring(before: JsonObject, view: OperationView, now: Instant): JsonObject {
  const { trouble } = view;
  const all = conditionsDuring(view);
  const bad = trouble?.isFailure === true ? trouble : all.find(({ status }) => status === 'False');
  const phase = phaseDuring(view);
  const { reason, message } = bad ?? trouble ?? { reason: phase, message: '' };
  const ready: Condition = { type: 'Ready', status: 'False', reason, message };
  const { reason: _reason, message: _message, ...rest } = before;
  return {
    ...rest,
    observedGeneration: view.generation,
    phase,
    ...(bad !== undefined && { reason: bad.reason, message: bad.message }),
    conditions: mergeConditions(listAt(before, 'conditions'), [...skipped(view.skips), ...all, ready], now),
    operation: operationStatus(view),
    ...hostKeysOf(before, view.hostKeys),
  };
}

const phaseDuring = ({ kind, isCluster }: OperationView): PlatformPhase =>
  (isCluster ? masterPhases[kind] : undefined) ?? phases[kind];

function conditionsDuring(view: OperationView): readonly Condition[] {
  const steps = view.planned === undefined ? [] : stepConditions(view.planned, view);
  const failing = troubleConditions(view, steps);
  return [...steps.filter(({ type }) => !failing.some((each) => each.type === type)), ...failing];
}

/** The status of an object for which no operation is due. */
export function statusAtRest(
  before: JsonObject,
  { generation, phase, changes }: { generation: number; phase: PlatformPhase; changes: JsonObject },
  now: Instant,
): JsonObject {
  const { reason: _reason, message: _message, operation: _operation, ...rest } = before;
  const isReady = phase === 'Running';
  const ready: Condition = {
    type: 'Ready',
    status: isReady ? 'True' : 'False',
    reason: phase,
    message: '',
  };
  return {
    ...rest,
    ...changes,
    observedGeneration: generation,
    phase,
    conditions: mergeConditions(listAt(before, 'conditions'), [ready], now),
  };
}

/** The status of an object whose operation cannot start. */
export function statusWaiting(
  before: JsonObject,
  {
    generation,
    reason,
    message,
    phase,
  }: { generation: number; reason: string; message: string; phase?: PlatformPhase },
  now: Instant,
): JsonObject {
  const ready: Condition = { type: 'Ready', status: 'False', reason, message };
  return {
    ...before,
    observedGeneration: generation,
    ...(phase !== undefined && { phase }),
    reason,
    message,
    conditions: mergeConditions(listAt(before, 'conditions'), [ready], now),
  };
}

const stepConditions = (planned: ObjectPlan, { progress, gates }: OperationView): readonly Condition[] =>
  conditionsOf(planned.plan, withGates(progress, planned.segments, gates));

function troubleConditions(
  { trouble, planned, kind }: OperationView,
  steps: readonly Condition[],
): readonly Condition[] {
  if (trouble?.isFailure !== true) return [];
  if (trouble.conditions !== undefined) return trouble.conditions;
  const type = planned === undefined ? undefined : firstOpen(planned.plan, steps);
  if (type === undefined) return [];
  return [{ type, status: 'False', reason: failureReason(kind), message: trouble.message }];
}

function operationStatus(view: OperationView): JsonObject {
  const steps = compactSteps(view.progress);
  const gates: readonly GateStatus[] = [...view.gates.states.values()];
  const operation = {
    ...view.operation,
    ...(view.retryAt !== undefined && { retryAt: formatMicroTime(view.retryAt) }),
    ...(steps.length > 0 && { steps }),
    ...(gates.length > 0 && { gates }),
  };
  return operation;
}

/** Scripts of HookTemplates may have recorded further keys during the operation. */
function hostKeysOf(
  before: JsonObject,
  keys: ReadonlyMap<string, string>,
): { readonly hostKeys?: JsonObject } {
  if (keys.size === 0) return {};
  const map: MutableJsonObject = { ...objectAt(before, 'hostKeys') };
  for (const [host, key] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) map[host] = key;
  return { hostKeys: map };
}

export const pausesOf = (reason: PauseReason, now: Instant): Json => [{ reason, startTime: formatTime(now) }];
