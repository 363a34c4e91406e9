import type { Instant } from '#base/time.ts';
import { isAvailable } from '#kube/workload/pod-facts.ts';
import type { Daemon, NodeView, DaemonPlan, WantedDaemons } from './plan.ts';

/** Replaces daemons of older templates, as many at a time as the strategy allows. */
export function rollingUpdate(
  views: readonly NodeView[],
  wishes: WantedDaemons,
  plan: DaemonPlan,
  now: Instant,
): void {
  if (wishes.maxSurge > 0) surge(views, wishes, plan, now);
  else replace(views, wishes, plan, now);
}

function replace(views: readonly NodeView[], wishes: WantedDaemons, plan: DaemonPlan, now: Instant): void {
  const broken: Daemon[] = [];
  const healthy: Daemon[] = [];
  let unavailable = 0;
  for (const { fit, daemons } of views) {
    if (!fit.shouldRun) continue;
    const alive = daemons.filter(({ facts }) => !facts.isDeleting);
    const [only] = alive;
    if (only === undefined) {
      unavailable += 1;
      continue;
    }
    const isUp = isAvailable(only.facts, wishes.minReadySeconds, now);
    if (!isUp) unavailable += 1;
    if (only.isNew) continue;
    (isUp ? healthy : broken).push(only);
  }
  const more = Math.max(0, wishes.maxUnavailable - unavailable);
  // Pods that are not available can be deleted at once.
  for (const daemon of [...broken, ...healthy.slice(0, more)]) plan.drop(daemon);
}

/** The new pod is created first; the old one is deleted when the new one is available. */
function surge(views: readonly NodeView[], wishes: WantedDaemons, plan: DaemonPlan, now: Instant): void {
  const urgent: string[] = [];
  const patient: string[] = [];
  let surging = 0;
  for (const { fit, daemons, node } of views) {
    if (!fit.shouldRun) continue;
    const alive = daemons.filter(({ facts }) => !facts.isDeleting);
    const old = alive.find(({ isNew }) => !isNew);
    const isDouble = alive.some(({ isNew }) => isNew);
    if (old === undefined) continue;
    if (isDouble) surging += 1;
    else if (isAvailable(old.facts, wishes.minReadySeconds, now)) patient.push(node);
    else urgent.push(node);
  }
  const more = Math.max(0, wishes.maxSurge - surging);
  plan.nodes.push(...urgent, ...patient.slice(0, more));
}
