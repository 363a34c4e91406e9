import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';

export type CrdConditionType =
  | 'NamesAccepted'
  | 'Established'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant';

export type CrdCondition = {
  readonly type: CrdConditionType;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
};

/** The condition of this type in a list, as it is stored. */
export function findCondition(conditions: readonly Json[], type: CrdConditionType): JsonObject | undefined {
  return conditions.filter(isObject).find((each) => each['type'] === type);
}

export const crdConditions = (crd: JsonObject): readonly Json[] => listAt(crd, 'status', 'conditions');

export function isConditionTrue(crd: JsonObject, type: CrdConditionType): boolean {
  return textAt(findCondition(crdConditions(crd), type), 'status') === 'True';
}

/** A list with this condition set in its place; the time moves only when the status changes. */
export function withCondition(
  conditions: readonly Json[],
  next: CrdCondition,
  now: Instant,
): readonly Json[] {
  const old = findCondition(conditions, next.type);
  const { type, status, reason, message } = next;
  const since = old?.['status'] === status ? textAt(old, 'lastTransitionTime') : undefined;
  const written: JsonObject = { type, status, lastTransitionTime: since ?? formatTime(now), reason, message };
  if (old === undefined) return [...conditions, written];
  return conditions.map((each) => (each === old ? written : each));
}

export function withoutCondition(conditions: readonly Json[], type: CrdConditionType): readonly Json[] {
  const old = findCondition(conditions, type);
  return old === undefined ? conditions : conditions.filter((each) => each !== old);
}
