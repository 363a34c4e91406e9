import type { HookRunSpec, HookRunStatus } from '#hooks/kinds/hook-run.ts';
import type { Millis } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import { withLeastInterval } from './least-interval.ts';
import { isFinal } from './run.ts';

/** Everything that decisions on a HookRun are made from. */
export type HookRunSnapshot = {
  readonly object: KubeObject;
  /** The spec with intervals raised to the least one of the controller. */
  readonly spec: HookRunSpec;
  readonly status: HookRunStatus;
  /** It is finished, or being deleted. */
  readonly isOver: boolean;
};

export function snapshotOf(object: KubeObject, leastInterval: Millis): HookRunSnapshot {
  const status = statusOf(object);
  return {
    object,
    spec: withLeastInterval(specOf(object), leastInterval),
    status,
    isOver: isDeleting(object) || isFinal(status.phase),
  };
}
