import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { groupOf } from '#kube/object.ts';
import { mayOwn } from './graph.ts';
import type { GraphNode } from './node.ts';
import type { OwnerReference } from './owner-reference.ts';

/**
 * - `solid`: the owner exists and keeps the object;
 * - `elsewhere`: the owner is in another namespace, which counts as absent;
 * - `unresolvable`: a cluster-scoped object names a namespaced kind, so its owner can never be found;
 * - `unknown`: the kind of the owner is not served (yet).
 */
export type OwnerState =
  'solid' | 'waiting' | 'orphaning' | 'absent' | 'elsewhere' | 'unresolvable' | 'unknown';

export type OwnerScope = 'namespaced' | 'cluster' | 'unknown';

export const scopeOfResource = (resource: DiscoveredResource): OwnerScope =>
  resource.namespaced ? 'namespaced' : 'cluster';

/** The object with the uid of the owner, the scope of its kind, and whether it is known to be deleted. */
export type OwnerFacts = {
  readonly found: GraphNode | undefined;
  readonly scope: OwnerScope;
  readonly isGone: boolean;
};

export function ownerState(dependent: GraphNode, reference: OwnerReference, facts: OwnerFacts): OwnerState {
  const { found, scope, isGone } = facts;
  if (scope === 'namespaced' && !dependent.resource.namespaced) return 'unresolvable';
  if (found === undefined) return scope === 'unknown' && !isGone ? 'unknown' : 'absent';
  if (!isMeant(reference, found)) return 'absent';
  if (!mayOwn(found, dependent)) return 'elsewhere';
  return found.phase === 'waiting' || found.phase === 'orphaning' ? found.phase : 'solid';
}

/** An object with the uid of the reference but another name or kind is not its owner. */
const isMeant = (reference: OwnerReference, { resource, name }: GraphNode): boolean =>
  reference.kind === resource.kind &&
  reference.name === name &&
  groupOf(reference.apiVersion) === resource.group;
