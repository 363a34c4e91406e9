import { numberAt, textAt } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

/** On a node's lease: the process that owns the node. */
export const ownerAnnotation = 'sim.boathook.dev/player';

/** A process that simulates nodes. */
export type NodeOwner = {
  readonly id: string;
  /** Whether the process of this id is known to have ended: then its leases need not expire first. */
  isGone(id: string): boolean;
};

/** The other process that owns the node of this lease; undefined when there is none any more. */
export function otherOwner(lease: KubeObject, owner: NodeOwner, now: Instant): string | undefined {
  const holder = annotationsOf(lease)[ownerAnnotation];
  if (holder === undefined || holder === owner.id) return undefined;
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  const span = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1000;
  if (renewed === undefined || now - renewed >= span) return undefined;
  return owner.isGone(holder) ? undefined : holder;
}

/** A process without an id cannot distinguish its own leases from others'. */
export const noOwner: NodeOwner = { id: '', isGone: () => false };
