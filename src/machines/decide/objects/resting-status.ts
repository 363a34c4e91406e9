import { numberAt, objectAt, textAt, without, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { DueOperation } from './due.ts';
import { pauseTexts, type PauseReason } from './pauses.ts';
import { pausesOf, statusAtRest, statusWaiting } from './status.ts';
import type { KubeObject } from '#kube/object.ts';

const generationOf = (object: KubeObject): number => numberAt(object, 'metadata', 'generation') ?? 0;

/** The status of an object for which no operation is due. */
export function settledStatus(object: KubeObject, now: Instant): JsonObject {
  const before = without(objectAt(object, 'status') ?? {}, 'pauseConditions');
  return statusAtRest(before, { generation: generationOf(object), phase: 'Running', changes: {} }, now);
}

/** The status of an object whose operation cannot begin yet. */
export function blockedStatus(
  object: KubeObject,
  { reason, message, phase }: Omit<Extract<DueOperation, { type: 'wait' }>, 'type'>,
  now: Instant,
): JsonObject {
  const isNew = textAt(object, 'status', 'phase') === undefined;
  const shown = phase ?? (isNew ? 'Initializing' : undefined);
  const given = {
    generation: generationOf(object),
    reason,
    message,
    ...(shown !== undefined && { phase: shown }),
  };
  return statusWaiting(objectAt(object, 'status') ?? {}, given, now);
}

/** The status of an object whose operation does not begin or continue, because its Cluster is paused. */
export function pausedStatus(object: KubeObject, reason: PauseReason, now: Instant): JsonObject {
  const before = objectAt(object, 'status') ?? {};
  const isNew = textAt(before, 'phase') === undefined;
  const given = {
    generation: generationOf(object),
    reason,
    message: pauseTexts[reason],
    ...(isNew && { phase: 'Waiting' as const }),
  };
  return { ...statusWaiting(before, given, now), pauseConditions: pausesOf(reason, now) };
}
