/** The Lease of a shard as a replica sees it. */
export type SeenShard = {
  /** '' when nobody holds it. */
  readonly holder: string;
  /** Nobody holds it, or its holder has not renewed it in time. */
  readonly isFree: boolean;
};

export type ShardsSnapshot = {
  /** This replica. */
  readonly me: string;
  /** Replicas that are alive, this one included. */
  readonly replicas: readonly string[];
  /** By index. */
  readonly shards: readonly SeenShard[];
};

export type ShardPlan = {
  /** Free shards that this replica takes now. */
  readonly take: readonly number[];
  /** Shards of this replica that others shall have. */
  readonly giveUp: readonly number[];
};

/**
 * Which shards this replica takes and gives up. All replicas compute the same assignment from the same snapshot, so
 * nobody takes what another one is about to take; when their snapshots differ, the Lease decides.
 */
export function planShards(snapshot: ShardsSnapshot): ShardPlan {
  const { me, shards } = snapshot;
  const target = assignShards(snapshot);
  const indexes = shards.map((_, index) => index);
  return {
    take: indexes.filter(
      (index) => target[index] === me && (shards[index]?.isFree === true || shards[index]?.holder === me),
    ),
    giveUp: indexes.filter((index) => shards[index]?.holder === me && target[index] !== me),
  };
}

/**
 * Who shall hold each shard: every replica floor(shards / replicas) or one more, and each keeps what it holds as far as
 * that allows.
 */
export function assignShards({ replicas, shards }: Omit<ShardsSnapshot, 'me'>): readonly string[] {
  const heldBy = (replica: string): readonly number[] =>
    shards.flatMap(({ holder, isFree }, index) => (holder === replica && !isFree ? [index] : []));
  // Whoever holds most may keep one more: then the fewest shards move.
  const ranked = [...new Set(replicas)]
    .map((replica) => ({ replica, held: heldBy(replica) }))
    .toSorted((a, b) => b.held.length - a.held.length || (a.replica < b.replica ? -1 : 1));
  const least = Math.floor(shards.length / ranked.length);
  const more = shards.length % ranked.length;
  const quotas = ranked.map(({ replica, held }, rank) => ({
    replica,
    held,
    quota: rank < more ? least + 1 : least,
  }));
  const kept = new Map(
    quotas.flatMap(({ replica, held, quota }) => held.slice(0, quota).map((index) => [index, replica])),
  );
  const missing = quotas.flatMap(({ replica, held, quota }) =>
    Array.from({ length: Math.max(0, quota - held.length) }, () => replica),
  );
  const open = shards.flatMap((_, index) => (kept.has(index) ? [] : [index]));
  const filled = new Map(open.map((index, at) => [index, missing[at] ?? '']));
  return shards.map((_, index) => kept.get(index) ?? filled.get(index) ?? '');
}
