import { seconds, type Clock, type Instant } from '#base/time.ts';
import type { Packed } from '#loop/decoder.ts';
import { isOlder } from '#loop/versions.ts';
import { resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';

/** Where versions cannot be compared: a child that no informer shows for this long was deleted. */
const patience = seconds(30);

/** The resourceVersion up to which the informer of a child has received everything. */
type PositionOf = () => string;

type Written = { readonly child: Packed<KubeObject>; readonly at: Instant; readonly positionOf: PositionOf };

/** The responses to our own writes and deletions, until an informer shows them or a newer version. */
export class WrittenChildren {
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Map<string, Written>>();
  /** By uid. */
  readonly #removed = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(child: Packed<KubeObject>, positionOf: PositionOf): void {
    const owner = controllerOf(child)?.uid ?? '';
    const known = this.#byOwner.get(owner) ?? new Map<string, Written>();
    this.#byOwner.set(owner, known.set(uidOf(child), { child, at: this.#clock.now(), positionOf }));
  }

  /** We have deleted a child that an informer still shows. */
  noteRemoved(uid: string): void {
    this.#removed.add(uid);
  }

  /** An informer has shown that it is gone. */
  forget(child: Packed<KubeObject>): void {
    this.#removed.delete(uidOf(child));
    const owner = controllerOf(child)?.uid ?? '';
    const known = this.#byOwner.get(owner);
    known?.delete(uidOf(child));
    if (known?.size === 0) this.#byOwner.delete(owner);
  }

  /** The children of an owner as shown, or as written since, without those that we have deleted. */
  over(owner: string, all: readonly Packed<KubeObject>[]): readonly Packed<KubeObject>[] {
    const shown = this.#removed.size === 0 ? all : all.filter((child) => !this.#removed.has(uidOf(child)));
    const known = this.#byOwner.get(owner);
    if (known === undefined) return shown;
    const children = new Map(shown.map((child) => [uidOf(child), child]));
    for (const [uid, written] of known) {
      const there = children.get(uid);
      const { child } = written;
      const isAhead =
        there === undefined
          ? this.#isUnseen(written)
          : isOlder(resourceVersionOf(there), resourceVersionOf(child));
      if (isAhead) children.set(uid, child);
      else known.delete(uid);
    }
    if (known.size === 0) this.#byOwner.delete(owner);
    return [...children.values()];
  }

  /** Children that an informer has passed: it shows them, or they were deleted before it could show them. */
  passed(): readonly Packed<KubeObject>[] {
    return [...this.#byOwner.values()].flatMap((known) =>
      [...known.values()].filter((each) => !this.#isUnseen(each)).map(({ child }) => child),
    );
  }

  /** The informer of a child that is not shown has not received our write yet; otherwise the child is gone. */
  #isUnseen({ child, at, positionOf }: Written): boolean {
    const [version, position] = [resourceVersionOf(child), positionOf()];
    if (isOlder(position, version)) return true;
    if (position === version || isOlder(version, position)) return false;
    return this.#clock.now() - at < patience;
  }
}
