import { steadyClock } from '#base/steady-clock.ts';
import { later, millis, minutes, type Clock, type Instant, type Millis } from '#base/time.ts';
import {
  isDeleting,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
  type WithMetadata,
} from '#kube/object.ts';
import { splitKey } from './delta.ts';
import type { Informer } from './informer.ts';
import { hasShown } from './versions.ts';

/** `before`: the position of the cache when it was sent; `written`: the resourceVersion of the answer, '' until then. */
type AwaitedCreation = { readonly before: string; readonly written: string };

type Awaited = {
  /** Creations whose name the server chooses. */
  unnamed: number;
  readonly names: Map<string, AwaitedCreation>;
  /** By uid; undefined until the server has answered. */
  readonly deletions: Map<string, WithMetadata | undefined>;
  readonly until: Instant;
};

type Followed = Pick<Informer, 'get' | 'position' | 'onList'>;

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
  /**
   * The deletion of an object without an owner was seen. Returns the keys that expected it: they owned the object when they
   * deleted it, as far as they knew.
   */
  strangerGone(uid: string): readonly string[];
  /** The server has created the object. Once its version was passed without it, it is gone again. */
  created(key: string, object: WithMetadata): void;
  /** The server has deleted the object, or marked it; that may have been seen before it was expected. */
  deleted(key: string, object: WithMetadata): void;
  /** How long to wait until the cache shows what was done; 0 when it is up to date, or after a timeout. */
  pending(key: string): Millis;
  forget(key: string): void;
  /** Compares with what an informer shows. Calls `ended` with keys whose objects came or went unseen. */
  follow(informer: Followed, ended: (key: string) => void): () => void;
};

/**
 * What a controller has written and not seen yet. Until then its cache is stale, and it must not act on it.
 *
 * A creation ends with the event of its object, or when its request is refused or fails: when only the answer is lost,
 * whoever repeats the creation uses the same name, so that at most one object exists. It also ends when the informer has
 * received everything up to the version of the answer and does not have the object: one that is deleted before the informer
 * lists anew is never told of. What is left ends after the timeout, which a clock that is set forward does not shorten.
 */
export const createExpectations = (clock: Clock, timeout: Millis = minutes(5)): Expectations =>
  new OpenExpectations(clock, timeout);

class OpenExpectations implements Expectations {
  readonly #clock: Clock;
  readonly #timeout: Millis;
  readonly #byKey = new Map<string, Awaited>();
  #followed: { readonly informer: Followed; readonly ended: (key: string) => void } | undefined;

  constructor(clock: Clock, timeout: Millis) {
    this.#clock = steadyClock(clock);
    this.#timeout = timeout;
  }

  expectCreations(key: string, names: readonly string[]): void {
    if (names.length === 0) return;
    const awaited = this.#open(key);
    const before = this.#positionOf(key);
    for (const name of names) {
      if (name === '') awaited.unnamed += 1;
      else awaited.names.set(name, { before, written: '' });
    }
  }

  expectDeletions(key: string, uids: Iterable<string>): void {
    const { deletions } = this.#open(key);
    for (const uid of uids) deletions.set(uid, undefined);
  }

  creationSeen(key: string, name: string): void {
    const known = this.#current(key);
    if (known === undefined || known.names.delete(name)) return;
    if (known.unnamed > 0) known.unnamed -= 1;
  }

  deletionSeen(key: string, uid: string): void {
    this.#current(key)?.deletions.delete(uid);
  }

  strangerGone(uid: string): readonly string[] {
    return [...this.#byKey].flatMap(([key, { deletions }]) => (deletions.delete(uid) ? [key] : []));
  }

  created(key: string, object: WithMetadata): void {
    const known = this.#current(key);
    const creation = known?.names.get(nameOf(object));
    if (known === undefined || creation === undefined) return;
    known.names.set(nameOf(object), { ...creation, written: resourceVersionOf(object) });
    this.#endPassed(key, known);
  }

  deleted(key: string, object: WithMetadata): void {
    const known = this.#current(key);
    if (known?.deletions.has(uidOf(object)) !== true) return;
    if (this.#isSeenGone(object)) known.deletions.delete(uidOf(object));
    else known.deletions.set(uidOf(object), object);
  }

  pending(key: string): Millis {
    const known = this.#current(key);
    return known === undefined ? millis(0) : millis(known.until - this.#clock.now());
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }

  follow(informer: Followed, ended: (key: string) => void): () => void {
    this.#followed = { informer, ended };
    return informer.onList(() => {
      for (const [key, known] of this.#byKey) this.#endPassed(key, known);
    });
  }

  #positionOf(key: string): string {
    return this.#followed?.informer.position(splitKey(key).namespace) ?? '';
  }

  #open(key: string): Awaited {
    const known = this.#current(key);
    const awaited: Awaited = {
      unnamed: known?.unnamed ?? 0,
      names: known?.names ?? new Map(),
      deletions: known?.deletions ?? new Map(),
      until: later(this.#clock.now(), this.#timeout),
    };
    this.#byKey.set(key, awaited);
    return awaited;
  }

  #current(key: string): Awaited | undefined {
    const known = this.#byKey.get(key);
    if (known === undefined) return undefined;
    if (!isOver(known) && this.#clock.now() < known.until) return known;
    this.#byKey.delete(key);
    return undefined;
  }

  #isSeenGone(object: WithMetadata): boolean {
    return this.#followed !== undefined && isSeenGone(this.#followed.informer, object);
  }

  /**
   * Ends creations that the cache has passed without their objects, and deletions that it shows: when an object was adopted
   * and deleted before the informer lists anew, the event of its deletion has no owner.
   */
  #endPassed(key: string, known: Awaited): void {
    const position = this.#positionOf(key);
    const gone = [...known.names].filter(([, creation]) => hasShown({ ...creation, position }));
    for (const [name] of gone) known.names.delete(name);
    const deleted = [...known.deletions.values()].flatMap((each) =>
      each !== undefined && this.#isSeenGone(each) ? [each] : [],
    );
    for (const object of deleted) known.deletions.delete(uidOf(object));
    if (gone.length + deleted.length > 0 && isOver(known)) this.#followed?.ended(key);
  }
}

const isOver = ({ unnamed, names, deletions }: Awaited): boolean =>
  unnamed <= 0 && names.size === 0 && deletions.size === 0;

function isSeenGone(informer: Followed, object: WithMetadata): boolean {
  const shown: KubeObject | undefined = informer.get(namespaceOf(object), nameOf(object));
  return shown === undefined || uidOf(shown) !== uidOf(object) || isDeleting(shown);
}
