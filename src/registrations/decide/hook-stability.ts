import { hashText } from '#base/hash.ts';
import { minutes, type Instant } from '#base/time.ts';
import { orderedJson } from '#kube/workload/safe-hash.ts';
import type { Children, HookStability } from './cycle.ts';

/** So often in a row a hook may change its mind over the same input. */
export const maxChanges = 5;
const stabilityWindow = minutes(10);

/** Whether one more change would be one too many. */
export const isNearLimit = (before: HookStability | undefined): boolean =>
  (before?.changes ?? 0) + 1 >= maxChanges;

/** What a hook made of its input this time, beside what it made of it before. */
export function nextStability(
  before: HookStability | undefined,
  input: Children,
  desired: Children,
  now: Instant,
): HookStability {
  const made = hashOf(desired);
  // A hook without wishes leaves the input as it was, and much needs no second look.
  const next = { input: desired === input ? made : hashOf(input), desired: made };
  if (before?.input !== next.input || before.desired === next.desired || now - before.since > stabilityWindow)
    return { ...next, changes: 0, since: now };
  const since = before.changes === 0 ? now : before.since;
  return { ...next, changes: before.changes + 1, since };
}

const hashOf = (children: Children): string => hashText(orderedJson(children));
