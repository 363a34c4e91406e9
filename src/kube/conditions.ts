import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export type Condition = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
};

/** The least that a condition must have to be set; all other fields are kept as they are. */
type Settable = JsonObject & { readonly type: string; readonly status: string };

/** What is in `status.conditions` of an object. */
export const conditionsOf = (object: JsonObject): readonly Json[] => listAt(object, 'status', 'conditions');

export const findCondition = (conditions: readonly Json[], type: string): JsonObject | undefined =>
  conditions.find((each): each is JsonObject => isObject(each) && each['type'] === type);

export const conditionOf = (object: JsonObject, type: string): JsonObject | undefined =>
  findCondition(conditionsOf(object), type);

export const isConditionTrue = (object: JsonObject, type: string): boolean =>
  conditionOf(object, type)?.['status'] === 'True';

/**
 * A condition with its `lastTransitionTime`: that of its predecessor while the status is the same, otherwise `now`.
 */
export function withTransitionTime(
  condition: Settable,
  before: JsonObject | undefined,
  now: Instant,
): JsonObject {
  const since = before?.['status'] === condition.status ? textAt(before, 'lastTransitionTime') : undefined;
  return { ...condition, lastTransitionTime: since ?? formatTime(now) };
}

/** Sets a condition in the place of the one of its type, or at the end. */
export function setCondition(
  conditions: readonly Json[],
  condition: Settable,
  now: Instant,
): readonly Json[] {
  const before = findCondition(conditions, condition.type);
  const next = withTransitionTime(condition, before, now);
  return before === undefined ? [...conditions, next] : conditions.with(conditions.indexOf(before), next);
}

/**
 * Sets a condition as the controllers of Deployments and ReplicaSets do: one with the same status and reason stays
 * as it is, message included; any other goes to the end of the list.
 */
export function appendCondition(
  conditions: readonly Json[],
  condition: Settable,
  now: Instant,
): readonly Json[] {
  const before = findCondition(conditions, condition.type);
  if (before?.['status'] === condition.status && before['reason'] === condition['reason']) return conditions;
  return [...removeCondition(conditions, condition.type), withTransitionTime(condition, before, now)];
}

/** The very same list when it has no such condition. */
export const removeCondition = (conditions: readonly Json[], type: string): readonly Json[] =>
  findCondition(conditions, type) === undefined
    ? conditions
    : conditions.filter((each) => textAt(each, 'type') !== type);
