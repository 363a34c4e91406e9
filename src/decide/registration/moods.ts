import { hashText } from '#base/hash.ts';
import { minutes, type Instant } from '#base/time.ts';
import { orderedJson } from '#kube/workload/safe-hash.ts';
import type { Children, Moods } from './cycle.ts';

/** So often in a row a hook may change its mind over the same input. */
export const mostChanges = 5;
const memoryOfMoods = minutes(10);

/** What a hook made of its input this time, beside what it made of it before (§6.4, H-20). */
export function nextMoods(
  before: Moods | undefined,
  input: Children,
  desired: Children,
  now: Instant,
): Moods {
  const next = { input: hashOf(input), desired: hashOf(desired) };
  if (before?.input !== next.input || before.desired === next.desired || now - before.since > memoryOfMoods)
    return { ...next, changes: 0, since: now };
  const since = before.changes === 0 ? now : before.since;
  return { ...next, changes: before.changes + 1, since };
}

const hashOf = (children: Children): string => hashText(orderedJson(children));
