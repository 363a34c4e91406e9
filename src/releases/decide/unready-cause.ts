import { listAt, textAt } from '#base/json.ts';
import { conditionOf } from '#kube/conditions.ts';
import type { ReleasePod } from './pod-view.ts';

/**
 * Why pods are not in service: the cause in the status of one such pod, the first by name, and the number of others that
 * have one. Undefined when no status shows a cause.
 */
export function unreadyCause(views: readonly ReleasePod[]): string | undefined {
  let first: { readonly name: string; readonly cause: string } | undefined;
  let count = 0;
  for (const view of views) {
    if (!view.isActive || view.isInService) continue;
    const cause = causeOf(view);
    if (cause === undefined) continue;
    count += 1;
    // Informers and requests list pods in different orders.
    if (first === undefined || view.facts.name < first.name) first = { name: view.facts.name, cause };
  }
  if (first === undefined) return undefined;
  const others = count === 1 ? '' : `; ${count - 1} more ${count === 2 ? 'is not' : 'are not'} either`;
  return `Pod ${first.name} is not in service: ${first.cause}${others}.`;
}

/** Waiting reasons of a normal start. */
const ordinary: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** A failing pull alternates between these reasons: one name for both keeps the message stable. */
const pulling: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** The cause in the status of one pod; undefined when it shows none. */
export function causeOf({ pod }: Pick<ReleasePod, 'pod'>): string | undefined {
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
