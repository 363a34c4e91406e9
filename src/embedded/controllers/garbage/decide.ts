import { orphanDependents, waitForDependents, type Node } from './node.ts';
import type { OwnerState } from './owner-state.ts';

/** An object with all that decides its fate. */
export type Sight = {
  readonly node: Node;
  /** One state per owner reference, in order. */
  readonly owners: readonly OwnerState[];
  readonly hasDependents: boolean;
  /** A dependent with blockOwnerDeletion still exists. */
  readonly isBlocked: boolean;
  /** The object waits, by way of its waiting owners, for itself. */
  readonly isInCircle: boolean;
};

export type Policy = 'Background' | 'Foreground' | 'Orphan';

export type Step =
  | { readonly type: 'nothing' }
  /** Look again when the owner's kind is served. */
  | { readonly type: 'look later' }
  | { readonly type: 'remove finalizer'; readonly finalizer: string }
  | { readonly type: 'drop owners'; readonly uids: readonly string[] }
  /** Stop blocking the deletion of the owners. */
  | { readonly type: 'unblock owners' }
  | { readonly type: 'delete'; readonly policy: Policy };

const nothing: Step = { type: 'nothing' };

/** G5, G6: the one next thing to do about an object. */
export function decide(sight: Sight): Step {
  const released = uidsOf(sight, ['orphaning']);
  if (released.length > 0) return { type: 'drop owners', uids: released };
  if (sight.node.phase !== 'live') return finish(sight);
  const { owners } = sight;
  if (owners.length === 0 || owners.includes('unresolvable')) return nothing;
  if (owners.includes('unknown')) return { type: 'look later' };
  if (!owners.includes('solid')) return collect(sight);
  const superfluous = uidsOf(sight, ['absent', 'elsewhere', 'waiting']);
  return superfluous.length === 0 ? nothing : { type: 'drop owners', uids: superfluous };
}

/** The object is going already; only its own finalizers of propagation concern us. */
function finish(sight: Sight): Step {
  const { node, isBlocked, hasDependents } = sight;
  if (node.phase === 'waiting') {
    if (!isBlocked) return { type: 'remove finalizer', finalizer: waitForDependents };
    return mustUnblock(sight) ? { type: 'unblock owners' } : nothing;
  }
  if (node.phase === 'orphaning' && !hasDependents) {
    return { type: 'remove finalizer', finalizer: orphanDependents };
  }
  return nothing;
}

/** No owner holds the object any more. */
function collect(sight: Sight): Step {
  const { node, owners, hasDependents } = sight;
  if (owners.includes('waiting') && hasDependents) {
    return mustUnblock(sight) ? { type: 'unblock owners' } : { type: 'delete', policy: 'Foreground' };
  }
  if (node.finalizers.includes(orphanDependents)) return { type: 'delete', policy: 'Orphan' };
  const policy = node.finalizers.includes(waitForDependents) ? 'Foreground' : 'Background';
  return { type: 'delete', policy };
}

const mustUnblock = ({ node, isInCircle }: Sight): boolean =>
  isInCircle && node.owners.some(({ blocks }) => blocks);

const uidsOf = ({ node, owners }: Sight, states: readonly OwnerState[]): readonly string[] =>
  node.owners.flatMap(({ uid }, i) => {
    const state = owners[i];
    return state !== undefined && states.includes(state) ? [uid] : [];
  });
