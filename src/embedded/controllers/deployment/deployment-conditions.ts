import { textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { withCondition, withoutCondition } from '#kube/workload/conditions.ts';

export type Conditions = readonly Json[];

/** A condition of a deployment that says something now. */
export const condition = (
  type: string,
  status: 'True' | 'False' | 'Unknown',
  [reason, message]: readonly [string, string],
  now: Instant,
): JsonObject => ({
  type,
  status,
  lastUpdateTime: formatTime(now),
  lastTransitionTime: formatTime(now),
  reason,
  message,
});

/** Conditions live in a status: these functions see them there. */
const around = (conditions: Conditions): JsonObject => ({ status: { conditions } });

export const setCondition = (conditions: Conditions, next: JsonObject): Conditions =>
  withCondition(around(conditions), next);
export const dropCondition = (conditions: Conditions, type: string): Conditions =>
  withoutCondition(around(conditions), type);
export const findCondition = (conditions: Conditions, type: string): Json | undefined =>
  conditions.find((each) => textAt(each, 'type') === type);
