import { later, millis, minutes, type Clock, type Instant, type Millis } from '#base/time.ts';

type Awaited = { creations: number; readonly deletions: Set<string>; readonly until: Instant };

export type Expectations = {
  /** Before the creations are sent: their events may arrive before their answers do. */
  expectCreations(key: string, count: number): void;
  expectDeletions(key: string, uids: Iterable<string>): void;
  /** An added object was seen, or its creation failed. */
  creationSeen(key: string): void;
  /** A deleted object was seen, or its deletion failed. */
  deletionSeen(key: string, uid: string): void;
  /** How long to wait until the cache shows what was done; 0 when it is up to date, or after a timeout. */
  pending(key: string): Millis;
  forget(key: string): void;
};

/** What a controller has written and not seen yet. Until then its cache is stale, and it must not act on it. */
export function createExpectations(clock: Clock, timeout: Millis = minutes(5)): Expectations {
  const byKey = new Map<string, Awaited>();
  const open = (key: string): Awaited => {
    const known = current(key);
    const awaited: Awaited = {
      creations: known?.creations ?? 0,
      deletions: known?.deletions ?? new Set(),
      until: later(clock.now(), timeout),
    };
    byKey.set(key, awaited);
    return awaited;
  };
  const current = (key: string): Awaited | undefined => {
    const known = byKey.get(key);
    if (known === undefined) return undefined;
    const isOver = known.creations <= 0 && known.deletions.size === 0;
    if (!isOver && clock.now() < known.until) return known;
    byKey.delete(key);
    return undefined;
  };
  return {
    expectCreations(key, count) {
      if (count > 0) open(key).creations += count;
    },
    expectDeletions(key, uids) {
      const { deletions } = open(key);
      for (const uid of uids) deletions.add(uid);
    },
    creationSeen(key) {
      const known = current(key);
      if (known !== undefined && known.creations > 0) known.creations -= 1;
    },
    deletionSeen: (key, uid) => void current(key)?.deletions.delete(uid),
    pending(key) {
      const known = current(key);
      return known === undefined ? millis(0) : millis(known.until - clock.now());
    },
    forget: (key) => void byKey.delete(key),
  };
}
