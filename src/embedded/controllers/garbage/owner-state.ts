import type { ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import { groupOf } from '#embedded/controllers/in-process/resource-path.ts';
import { mayOwn } from './graph.ts';
import type { Node } from './node.ts';
import type { OwnerReference } from './owner-reference.ts';

/**
 * What an owner reference is worth.
 * - `elsewhere`: the owner lives in another namespace, which counts as absent;
 * - `unresolvable`: a cluster-scoped object names a namespaced kind, so its owner can never be found;
 * - `unknown`: nobody serves the owner's kind (yet).
 */
export type OwnerState =
  'solid' | 'waiting' | 'orphaning' | 'absent' | 'elsewhere' | 'unresolvable' | 'unknown';

export type Scope = 'namespaced' | 'cluster' | 'unknown';

export const scopeOfResource = (resource: ResourceRef): Scope =>
  resource.namespaced ? 'namespaced' : 'cluster';

/** What is known about the owner: the object with that uid, its kind's scope, and whether it was seen to vanish. */
export type OwnerFacts = {
  readonly found: Node | undefined;
  readonly scope: Scope;
  readonly hasVanished: boolean;
};

/** G6. */
export function ownerState(dependent: Node, reference: OwnerReference, facts: OwnerFacts): OwnerState {
  const { found, scope, hasVanished } = facts;
  if (scope === 'namespaced' && !dependent.resource.namespaced) return 'unresolvable';
  if (found === undefined) return scope === 'unknown' && !hasVanished ? 'unknown' : 'absent';
  if (!isMeant(reference, found)) return 'absent';
  if (!mayOwn(found, dependent)) return 'elsewhere';
  return found.phase === 'waiting' || found.phase === 'orphaning' ? found.phase : 'solid';
}

/** The right uid under another name or kind is not the owner meant. */
const isMeant = (reference: OwnerReference, { resource, name }: Node): boolean =>
  reference.kind === resource.kind &&
  reference.name === name &&
  groupOf(reference.apiVersion) === resource.group;
