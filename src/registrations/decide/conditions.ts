import type { Json, JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { findCondition, withTransitionTime, type Condition } from '#kube/conditions.ts';

/** The condition Ready: False counts more than Unknown, and Unknown more than True, whatever the types are. */
export function foldReady(conditions: readonly Condition[]): Condition {
  const bad =
    conditions.find(({ status }) => status === 'False') ??
    conditions.find(({ status }) => status === 'Unknown');
  if (bad === undefined) return { type: 'Ready', status: 'True', reason: 'CONDITIONSOK', message: '' };
  const reason = bad.status === 'False' ? 'CONDITIONSNOTOK' : 'UNKNOWN';
  return { type: 'Ready', status: bad.status, reason, message: `${bad.type}: ${bad.message || bad.reason}` };
}

const longestMessage = 32_768;

/** These conditions and no others, sorted by type. */
export const settleConditions = (
  before: readonly Json[],
  wanted: readonly Condition[],
  now: Instant,
): readonly JsonObject[] =>
  wanted
    .toSorted((left, right) => (left.type < right.type ? -1 : 1))
    .map(({ type, status, reason, message }) => {
      const condition = { type, status, reason, message: message.slice(0, longestMessage) };
      return withTransitionTime(condition, findCondition(before, type), now);
    });
