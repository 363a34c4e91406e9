import type { Json } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { Condition, ConditionStatus } from '#kube/conditions.ts';

export type Conditions = readonly Json[];

/** A condition of a Deployment as it is now; the deadline of a rollout counts from `lastUpdateTime`. */
export const deploymentCondition = (
  type: string,
  status: ConditionStatus,
  [reason, message]: readonly [string, string],
  now: Instant,
): Condition & { readonly lastUpdateTime: string } => ({
  type,
  status,
  lastUpdateTime: formatTime(now),
  reason,
  message,
});
