import { hashText } from '#base/hash.ts';
import { minutes, type Instant } from '#base/time.ts';
import { orderedJson } from '#kube/workload/safe-hash.ts';
import type { Children, HookStability } from './cycle.ts';

/** How often in a row the result of a hook may change for the same input. */
export const maxChanges = 5;
const stabilityWindow = minutes(10);

/** Whether one more change reaches the limit. */
export const isNearLimit = (before: HookStability | undefined): boolean =>
  (before?.changes ?? 0) + 1 >= maxChanges;

/** Compares the result of a hook with its last result for the same input. */
export function nextStability(
  before: HookStability | undefined,
  input: Children,
  desired: Children,
  now: Instant,
): HookStability {
  const made = hashOf(desired);
  // An empty reply returns the input itself: hash it once.
  const next = { input: desired === input ? made : hashOf(input), desired: made };
  if (before?.input !== next.input || before.desired === next.desired || now - before.since > stabilityWindow)
    return { ...next, changes: 0, since: now };
  const since = before.changes === 0 ? now : before.since;
  return { ...next, changes: before.changes + 1, since };
}

const hashOf = (children: Children): string => hashText(orderedJson(children));
