import { numberAt, textAt } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

/** On a node's lease: which process plays the node. */
export const ownerAnnotation = 'sim.boathook.dev/player';

/** A process that plays nodes. */
export type NodeOwner = {
  readonly id: string;
  /** Whether the process of this id is known to have ended: then nobody waits for its lease to run out. */
  isGone(id: string): boolean;
};

/** The other process that plays the node of this lease; undefined when nobody does any longer. */
export function otherOwner(lease: KubeObject, player: NodeOwner, now: Instant): string | undefined {
  const holder = annotationsOf(lease)[ownerAnnotation];
  if (holder === undefined || holder === player.id) return undefined;
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  const span = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1000;
  if (renewed === undefined || now - renewed >= span) return undefined;
  return player.isGone(holder) ? undefined : holder;
}

/** Whoever does not say who it is cannot tell others from itself. */
export const noOwner: NodeOwner = { id: '', isGone: () => false };
