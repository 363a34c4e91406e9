import { orphanDependents, waitForDependents } from './node.ts';
import type { OwnerState } from './owner-state.ts';
import type { GarbageView } from './view.ts';

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export type GarbageStep =
  | { readonly type: 'nothing' }
  /** Until the kind of an owner is served. */
  | { readonly type: 'look later' }
  | { readonly type: 'remove finalizer'; readonly finalizer: string }
  | { readonly type: 'drop owners'; readonly uids: readonly string[] }
  /** The object no longer blocks the deletion of its owners. */
  | { readonly type: 'unblock owners' }
  | { readonly type: 'delete'; readonly policy: PropagationPolicy };

const nothing: GarbageStep = { type: 'nothing' };

/** The next step for an object; each step is written before the next is decided. */
export function decide(view: GarbageView): GarbageStep {
  const released = uidsOf(view, ['orphaning']);
  if (released.length > 0) return { type: 'drop owners', uids: released };
  if (view.node.phase !== 'live') return finish(view);
  const { owners } = view;
  if (owners.length === 0 || owners.includes('unresolvable')) return nothing;
  if (owners.includes('unknown')) return { type: 'look later' };
  if (!owners.includes('solid')) return collect(view);
  const superfluous = uidsOf(view, ['absent', 'elsewhere', 'waiting']);
  return superfluous.length === 0 ? nothing : { type: 'drop owners', uids: superfluous };
}

/** The object is being deleted: only the finalizers of its propagation policy remain to be removed. */
function finish(view: GarbageView): GarbageStep {
  const { node, isBlocked, hasDependents } = view;
  if (node.phase === 'waiting') {
    if (!isBlocked) return { type: 'remove finalizer', finalizer: waitForDependents };
    return mustUnblock(view) ? { type: 'unblock owners' } : nothing;
  }
  if (node.phase === 'orphaning' && !hasDependents) {
    return { type: 'remove finalizer', finalizer: orphanDependents };
  }
  return nothing;
}

/** No owner keeps the object. */
function collect(view: GarbageView): GarbageStep {
  const { node, owners, hasDependents } = view;
  if (owners.includes('waiting') && hasDependents) {
    return mustUnblock(view) ? { type: 'unblock owners' } : { type: 'delete', policy: 'Foreground' };
  }
  if (node.finalizers.includes(orphanDependents)) return { type: 'delete', policy: 'Orphan' };
  const policy = node.finalizers.includes(waitForDependents) ? 'Foreground' : 'Background';
  return { type: 'delete', policy };
}

const mustUnblock = ({ node, isInCircle }: GarbageView): boolean =>
  isInCircle && node.owners.some(({ blocks }) => blocks);

const uidsOf = ({ node, owners }: GarbageView, states: readonly OwnerState[]): readonly string[] =>
  node.owners.flatMap(({ uid }, i) => {
    const state = owners[i];
    return state !== undefined && states.includes(state) ? [uid] : [];
  });
