import { listAt, textAt } from '#base/json.ts';
import { conditionOf } from '#kube/conditions.ts';
import type { ReleasePod } from './pod-view.ts';

/**
 * Why pods are not in service: the cause in the status of the first such pod, and the number of others that have one.
 * Undefined when no status shows a cause.
 */
export function unreadyCause(views: readonly ReleasePod[]): string | undefined {
  let first: string | undefined;
  let others = 0;
  for (const view of views) {
    if (!view.isActive || view.isInService) continue;
    const cause = causeOf(view);
    if (cause === undefined) continue;
    if (first === undefined) first = `Pod ${view.facts.name} is not in service: ${cause}`;
    else others += 1;
  }
  if (first === undefined || others === 0) return first === undefined ? undefined : `${first}.`;
  return `${first}; ${others} more ${others === 1 ? 'is not' : 'are not'} either.`;
}

/** Waiting reasons of a normal start. */
const ordinary: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** A failing pull alternates between these reasons: one name for both keeps the message stable. */
const pulling: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

function causeOf({ pod }: ReleasePod): string | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (textAt(scheduled, 'status') === 'False')
    return `it has no node (${textAt(scheduled, 'message') ?? textAt(scheduled, 'reason') ?? 'no reason given'})`;
  const statuses = [
    ...listAt(pod, 'status', 'initContainerStatuses'),
    ...listAt(pod, 'status', 'containerStatuses'),
  ];
  for (const status of statuses) {
    const reason = textAt(status, 'state', 'waiting', 'reason');
    if (reason === undefined || ordinary.has(reason)) continue;
    return `its container ${textAt(status, 'name') ?? ''} waits with ${pulling.has(reason) ? 'ImagePullBackOff' : reason}`;
  }
  return undefined;
}
