import { hashText } from '#base/hash.ts';
import { minutes, type Instant } from '#base/time.ts';
import { orderedJson } from '#kube/workload/safe-hash.ts';
import type { Children, Moods } from './cycle.ts';

/** So often in a row a hook may change its mind over the same input. */
export const mostChanges = 5;
const memoryOfMoods = minutes(10);

/** Whether one more change would be one too many. */
export const isNearLimit = (before: Moods | undefined): boolean => (before?.changes ?? 0) + 1 >= mostChanges;

/** What a hook made of its input this time, beside what it made of it before (§6.4, H-20). */
export function nextMoods(
  before: Moods | undefined,
  input: Children,
  desired: Children,
  now: Instant,
): Moods {
  const made = hashOf(desired);
  // A hook without wishes leaves the input as it was, and much needs no second look.
  const next = { input: desired === input ? made : hashOf(input), desired: made };
  if (before?.input !== next.input || before.desired === next.desired || now - before.since > memoryOfMoods)
    return { ...next, changes: 0, since: now };
  const since = before.changes === 0 ? now : before.since;
  return { ...next, changes: before.changes + 1, since };
}

const hashOf = (children: Children): string => hashText(orderedJson(children));
