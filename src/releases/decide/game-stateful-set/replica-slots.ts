import { textAt } from '#base/json.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { ordinalsFor } from './ordinals.ts';
import { surgeAnnotation } from './well-known.ts';

/** An ordinal with its pod. `index` does not count reserved ordinals; partitions refer to it. */
export type ReplicaSlot = {
  readonly index: number;
  readonly ordinal: number;
  readonly view: ReleasePod | undefined;
  /** Beyond the replicas, during a release. */
  readonly isSurge: boolean;
};

export type ReplicaSlots = {
  /** One for each replica, then those of the surge, the lowest ordinal first. */
  readonly wanted: readonly ReplicaSlot[];
  /** Pods without a slot, the highest ordinal first. */
  readonly condemned: readonly ReleasePod[];
};

export type PodsByOrdinal = ReadonlyMap<number, ReleasePod>;

export type ReplicaSlotsGiven = {
  readonly pods: PodsByOrdinal;
  readonly replicas: number;
  readonly reserved: ReadonlySet<number>;
  readonly maxSurge: number;
  readonly partition: number;
  readonly targetRevision: string;
};

export function replicaSlotsOf(given: ReplicaSlotsGiven): ReplicaSlots {
  const { pods, replicas, reserved } = given;
  const ordinals = ordinalsFor(replicas + given.maxSurge, reserved);
  const own = ordinals.slice(0, replicas).map((ordinal, index) => ({
    index,
    ordinal,
    view: pods.get(ordinal),
    isSurge: false,
  }));
  const surge = ordinals.slice(replicas, replicas + surgeOf(given, own)).flatMap((ordinal, at) => {
    const view = pods.get(ordinal);
    if (view !== undefined && !isOfSurge(view, given.targetRevision)) return [];
    return [{ index: replicas + at, ordinal, view, isSurge: true }];
  });
  const wanted = [...own, ...surge];
  const seated = new Set(wanted.map(({ ordinal }) => ordinal));
  const condemned = [...pods]
    .filter(([ordinal]) => !seated.has(ordinal))
    .sort(([left], [right]) => right - left)
    .map(([, view]) => view);
  return { wanted, condemned };
}

/**
 * One for each pod above the partition that is still to be replaced, up to maxSurge. When no old pod is left, the
 * surge pods stay until the new pods are in service, and no surge pod is added.
 */
function surgeOf(given: ReplicaSlotsGiven, own: readonly ReplicaSlot[]): number {
  const { maxSurge, partition, targetRevision } = given;
  if (maxSurge === 0) return 0;
  const range = own.filter(({ index }) => index >= partition);
  const left = range.filter(({ view }) => view?.revision !== targetRevision || !view.isInService).length;
  const isReleasing = range.some(({ view }) => view !== undefined && view.revision !== targetRevision);
  return Math.min(maxSurge, isReleasing ? left : Math.min(left, surgeThere(given)));
}

const surgeThere = ({ pods, targetRevision }: ReplicaSlotsGiven): number =>
  [...pods.values()].filter((view) => isOfSurge(view, targetRevision)).length;

const isOfSurge = (view: ReleasePod, targetRevision: string): boolean =>
  view.revision === targetRevision && view.leaving === undefined && isSurgePod(view);

const isSurgePod = ({ pod }: Pick<ReleasePod, 'pod'>): boolean =>
  textAt(pod, 'metadata', 'annotations', surgeAnnotation) === 'true';
