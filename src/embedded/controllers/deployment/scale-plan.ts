import type { DeploymentSpec } from './deployment-spec.ts';
import { annotatedCount, desiredKey, maxKey, olderFirst, total, type SetView } from './replica-set-view.ts';

/** The wanted replicas of sets; sets that are missing stay as they are. */
export type Sizes = ReadonlyMap<SetView, number>;

const nothing: Sizes = new Map();

/** What the current set may grow to, surge considered. */
export function newSetSize(spec: DeploymentSpec, current: number, all: number): number {
  if (!spec.isRolling) return spec.replicas;
  const room = spec.replicas + spec.maxSurge - all;
  return room <= 0 ? current : current + Math.min(room, spec.replicas - current);
}

/** The pods of a set that may still be there: one that shrinks has more than it shall have. */
export const occupied = (set: SetView): number => Math.max(set.replicas, set.actual);

/** The available pods of a set that will stay: those that have to go are the unready ones first. */
const lasting = (set: SetView): number => Math.min(set.replicas, set.available);

/** First step of a rolling update: bring the current set to size. */
export function growNew(spec: DeploymentSpec, current: SetView, sets: readonly SetView[]): Sizes {
  if (current.replicas === spec.replicas) return nothing;
  if (current.replicas > spec.replicas) return new Map([[current, spec.replicas]]);
  const size = newSetSize(spec, current.replicas, total(sets, occupied));
  return size === current.replicas ? nothing : new Map([[current, size]]);
}

/** Second step: scale down old sets, unhealthy pods first, and never more than maxUnavailable allows. */
export function shrinkOld(spec: DeploymentSpec, current: SetView, old: readonly SetView[]): Sizes {
  const active = old.filter((set) => set.replicas > 0).sort(olderFirst);
  if (active.length === 0) return nothing;
  const least = spec.replicas - spec.maxUnavailable;
  const all = current.replicas + total(active, (set) => set.replicas);
  const unready = current.replicas - lasting(current);
  const most = all - least - unready;
  if (most <= 0) return nothing;
  const sizes = new Map<SetView, number>();
  let cleaned = 0;
  for (const set of active) {
    const surplus = Math.min(most - cleaned, set.replicas - lasting(set));
    if (surplus <= 0) continue;
    sizes.set(set, set.replicas - surplus);
    cleaned += surplus;
  }
  let spare = total([current, ...old], lasting) - least;
  for (const set of active) {
    const size = sizes.get(set) ?? set.replicas;
    const lost = Math.min(size, spare);
    if (lost <= 0) continue;
    sizes.set(set, size - lost);
    spare -= lost;
  }
  return sizes;
}

/** A change of `spec.replicas` in the middle of anything: every set grows or shrinks by its share. */
export function scaleAll(
  spec: DeploymentSpec,
  current: SetView | undefined,
  old: readonly SetView[],
  counted: number,
): Sizes {
  const only = activeOrLatest(current, old);
  if (only !== undefined) return new Map([[only, spec.replicas]]);
  if (current !== undefined && isSaturated(spec, current)) {
    return new Map(old.filter((set) => set.replicas > 0).map((set) => [set, 0]));
  }
  return spec.isRolling ? proportional(spec, current, old, counted) : nothing;
}

const isSaturated = (spec: DeploymentSpec, set: SetView): boolean =>
  set.replicas === spec.replicas &&
  annotatedCount(set, desiredKey) === spec.replicas &&
  set.available === spec.replicas;

/** A set was sized for another number of replicas than is wanted now. */
export const isScaling = (spec: DeploymentSpec, sets: readonly SetView[]): boolean =>
  sets.some((set) => {
    const desired = annotatedCount(set, desiredKey);
    return set.replicas > 0 && desired !== undefined && desired !== spec.replicas;
  });

function activeOrLatest(current: SetView | undefined, old: readonly SetView[]): SetView | undefined {
  const sets = current === undefined ? old : [...old, current];
  const active = sets.filter((set) => set.replicas > 0);
  if (active.length === 1) return active[0];
  if (active.length > 1) return undefined;
  return current ?? old.toSorted(olderFirst).at(-1);
}

function proportional(
  spec: DeploymentSpec,
  current: SetView | undefined,
  old: readonly SetView[],
  counted: number,
): Sizes {
  const active = (current === undefined ? old : [...old, current]).filter((set) => set.replicas > 0);
  const allowed = spec.replicas > 0 ? spec.replicas + spec.maxSurge : 0;
  const change = allowed - total(active, (set) => set.replicas);
  const ages = change > 0 ? -1 : 1;
  const bySize = active.toSorted(
    (left, right) => right.replicas - left.replicas || ages * olderFirst(left, right),
  );
  let added = 0;
  const sizes = new Map<SetView, number>();
  for (const set of bySize) {
    const share = change === 0 ? 0 : shareOf(set, spec, change - added, counted);
    sizes.set(set, set.replicas + share);
    added += share;
  }
  const [first] = bySize;
  if (first !== undefined && change !== 0) {
    sizes.set(first, Math.max(0, (sizes.get(first) ?? 0) + change - added));
  }
  return sizes;
}

function shareOf(set: SetView, spec: DeploymentSpec, left: number, counted: number): number {
  if (left === 0) return 0;
  const share = spec.replicas === 0 ? -set.replicas : fraction(set, spec, counted);
  return left > 0 ? Math.min(share, left) : Math.max(share, left);
}

/** The size of the set in proportion to the deployment it was sized for. */
function fraction(set: SetView, spec: DeploymentSpec, counted: number): number {
  const before = annotatedCount(set, maxKey) ?? counted;
  if (before === 0) return 0;
  return Math.round((set.replicas * (spec.replicas + spec.maxSurge)) / before) - set.replicas;
}
