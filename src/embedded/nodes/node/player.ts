import { numberAt, textAt } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

/** On a node's lease: which process plays the node. */
export const playerAnnotation = 'sim.boathook.dev/player';

/** A process that plays nodes. */
export type Player = {
  readonly id: string;
  /** Whether the process of this id is known to have ended: then nobody waits for its lease to run out. */
  isGone(id: string): boolean;
};

/** The other process that plays the node of this lease; undefined when nobody does any longer. */
export function rivalOf(lease: KubeObject, player: Player, now: Instant): string | undefined {
  const holder = annotationsOf(lease)[playerAnnotation];
  if (holder === undefined || holder === player.id) return undefined;
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  const span = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1000;
  if (renewed === undefined || now - renewed >= span) return undefined;
  return player.isGone(holder) ? undefined : holder;
}

/** Whoever does not say who it is cannot tell others from itself. */
export const nobody: Player = { id: '', isGone: () => false };
