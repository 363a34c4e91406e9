import { textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';

export type Truth = 'True' | 'False' | 'Unknown';

export type InstanceCondition = {
  readonly type: string;
  readonly status: Truth;
  readonly reason: string;
  readonly message: string;
};

/** False counts more than Unknown, and that more than True, whatever they are called (D-17, DEC-08). */
export function foldReady(conditions: readonly InstanceCondition[]): InstanceCondition {
  const bad =
    conditions.find(({ status }) => status === 'False') ??
    conditions.find(({ status }) => status === 'Unknown');
  if (bad === undefined) return { type: 'Ready', status: 'True', reason: 'CONDITIONSOK', message: '' };
  const reason = bad.status === 'False' ? 'CONDITIONSNOTOK' : 'UNKNOWN';
  return { type: 'Ready', status: bad.status, reason, message: `${bad.type}: ${bad.message || bad.reason}` };
}

const longestMessage = 32_768;

/**
 * These conditions and no others (D-16), sorted by type. The moment of a transition changes only with the status
 * (D-15); one that says what it said before stays as it is.
 */
export function settleConditions(
  before: readonly Json[],
  wanted: readonly InstanceCondition[],
  now: Instant,
): readonly JsonObject[] {
  const sorted = [...wanted].sort((left, right) => (left.type < right.type ? -1 : 1));
  return sorted.map(({ type, status, reason, message }) => {
    const old = before.find((each) => textAt(each, 'type') === type);
    const since = textAt(old, 'status') === status ? textAt(old, 'lastTransitionTime') : undefined;
    const lastTransitionTime = since ?? formatTime(now);
    return { type, status, reason, message: message.slice(0, longestMessage), lastTransitionTime };
  });
}
