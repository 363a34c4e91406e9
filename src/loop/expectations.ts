import { later, millis, minutes, type Clock, type Instant, type Millis } from '#base/time.ts';

type Awaited = {
  /** Creations whose name the server chooses. */
  unnamed: number;
  readonly names: Set<string>;
  readonly deletions: Set<string>;
  readonly until: Instant;
};

export type Expectations = {
  /**
   * Before the creations are sent: their events may arrive before their answers do. An empty name: the server chooses
   * it. With a name, the late event of an object whose creation seemed to fail is not taken for that of another one.
   */
  expectCreations(key: string, names: readonly string[]): void;
  expectDeletions(key: string, uids: Iterable<string>): void;
  /** An added object was seen, or its creation failed. */
  creationSeen(key: string, name: string): void;
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
      unnamed: known?.unnamed ?? 0,
      names: known?.names ?? new Set(),
      deletions: known?.deletions ?? new Set(),
      until: later(clock.now(), timeout),
    };
    byKey.set(key, awaited);
    return awaited;
  };
  const current = (key: string): Awaited | undefined => {
    const known = byKey.get(key);
    if (known === undefined) return undefined;
    const isOver = known.unnamed <= 0 && known.names.size === 0 && known.deletions.size === 0;
    if (!isOver && clock.now() < known.until) return known;
    byKey.delete(key);
    return undefined;
  };
  return {
    expectCreations(key, names) {
      if (names.length === 0) return;
      const awaited = open(key);
      for (const name of names) {
        if (name === '') awaited.unnamed += 1;
        else awaited.names.add(name);
      }
    },
    expectDeletions(key, uids) {
      const { deletions } = open(key);
      for (const uid of uids) deletions.add(uid);
    },
    creationSeen(key, name) {
      const known = current(key);
      if (known === undefined || known.names.delete(name)) return;
      if (known.unnamed > 0) known.unnamed -= 1;
    },
    deletionSeen: (key, uid) => void current(key)?.deletions.delete(uid),
    pending(key) {
      const known = current(key);
      return known === undefined ? millis(0) : millis(known.until - clock.now());
    },
    forget: (key) => void byKey.delete(key),
  };
}
