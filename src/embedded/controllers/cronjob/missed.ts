import { numberAt, textAt } from '#base/json.ts';
import { instant, later, millis, parseTime, type Instant } from '#base/time.ts';
import { createdAt } from '#kube/workload/pod-facts.ts';
import type { KubeObject } from '#kube/object.ts';
import { nextTime, type Offset, type Schedule } from './schedule.ts';

export type ScheduledStart = {
  /** The latest time that has come; undefined when none has. */
  readonly latest: Instant | undefined;
  readonly next: Instant | undefined;
  /** More were missed than can be counted. */
  readonly isTooMany: boolean;
};

const mostMissed = 100;

/** Which time is due: from the last schedule, or the creation, but not before the starting deadline. */
export function dueTime(cron: KubeObject, schedule: Schedule, offset: Offset, now: Instant): ScheduledStart {
  let from = parseTime(textAt(cron, 'status', 'lastScheduleTime') ?? '') ?? createdAt(cron);
  const deadline = numberAt(cron, 'spec', 'startingDeadlineSeconds');
  if (deadline !== undefined) from = instant(Math.max(from, now - deadline * 1000));
  const next = nextTime(schedule, now, offset);
  const first = nextTime(schedule, from, offset);
  if (first === undefined || first > now) return { latest: undefined, next: first, isTooMany: false };
  let latest = first;
  let missed = 0;
  for (;;) {
    const following = nextTime(schedule, latest, offset);
    if (following === undefined || following > now) break;
    missed += 1;
    latest = following;
    // Months of minutes are not walked through one by one.
    if (missed > mostMissed) {
      latest = latestBefore(schedule, offset, now) ?? latest;
      break;
    }
  }
  return { latest, next, isTooMany: missed > mostMissed };
}

/** Searches back in growing steps for the last time before now. */
function latestBefore(schedule: Schedule, offset: Offset, now: Instant): Instant | undefined {
  if (schedule.type === 'every') return now;
  for (let span = 60_000; span < 366 * 86_400_000; span *= 4) {
    let found = nextTime(schedule, later(now, millis(-span - 1)), offset);
    if (found === undefined || found > now) continue;
    for (let steps = 0; steps < 1000; steps += 1) {
      const following = nextTime(schedule, found, offset);
      if (following === undefined || following > now) return found;
      found = following;
    }
  }
  return undefined;
}
