import { namespaceOf, resourceVersionOf, uidOf, type KubeObject, type WithMetadata } from '#kube/object.ts';
import { keyOf, objectKey, type Delta } from './delta.ts';
import { ObjectIndex, type IndexValues } from './object-index.ts';
import { isOlder } from './versions.ts';

export type Indexes<Decoded extends WithMetadata = KubeObject> = Readonly<
  Record<string, IndexValues<Decoded>>
>;

/** The objects of a resource as they were last received, with their indexes. Each change returns its deltas. */
export class ObjectCache<Decoded extends WithMetadata = KubeObject> {
  readonly #byKey = new Map<string, Decoded>();
  readonly #namespaces: ObjectIndex<Decoded>;
  readonly #indexes = new Map<string, ObjectIndex<Decoded>>();

  constructor(indexes: Indexes<Decoded>) {
    this.#namespaces = new ObjectIndex((object) => [namespaceOf(object)]);
    this.addIndexes(indexes);
  }

  addIndexes(indexes: Indexes<Decoded>): void {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      if (this.#indexes.has(name)) continue;
      const index = new ObjectIndex(valuesOf);
      for (const [key, object] of this.#byKey) index.change(key, undefined, object);
      this.#indexes.set(name, index);
    }
  }

  get(namespace: string, name: string): Decoded | undefined {
    return this.#byKey.get(objectKey(namespace, name));
  }

  list(namespace?: string): readonly Decoded[] {
    return namespace === undefined ? [...this.#byKey.values()] : this.#namespaces.get(namespace);
  }

  byIndex(index: string, value: string): readonly Decoded[] {
    const found = this.#indexes.get(index);
    if (found === undefined) throw new Error(`there is no index ${index}`);
    return found.get(value);
  }

  /** The known object if its uid and resourceVersion are those of the given one. */
  same(object: WithMetadata): Decoded | undefined {
    const known = this.#byKey.get(keyOf(object));
    if (known === undefined || uidOf(known) !== uidOf(object)) return undefined;
    return resourceVersionOf(known) === resourceVersionOf(object) ? known : undefined;
  }

  /** An object as the server has it now. A state older than the known one changes nothing. */
  *put(object: Decoded): Generator<Delta<Decoded>> {
    const old = this.#byKey.get(keyOf(object));
    if (old !== undefined && uidOf(old) === uidOf(object)) {
      if (resourceVersionOf(old) === resourceVersionOf(object)) return;
      if (isOlder(resourceVersionOf(object), resourceVersionOf(old))) return;
      this.#set(object, old);
      yield { type: 'updated', object, old };
      return;
    }
    if (old !== undefined) yield* this.remove(old);
    this.#set(object, undefined);
    yield { type: 'added', object };
  }

  /** Removes an object. An old event about an object that was created again under the same name changes nothing. */
  *remove(object: Decoded): Generator<Delta<Decoded>> {
    const key = keyOf(object);
    const old = this.#byKey.get(key);
    if (old === undefined || isOlder(resourceVersionOf(object), resourceVersionOf(old))) return;
    this.#byKey.delete(key);
    for (const index of this.#all()) index.change(key, old, undefined);
    yield { type: 'deleted', object };
  }

  /** The whole list of the server: what differs changes, in the order of the keys. */
  *replace(listed: ReadonlyMap<string, Decoded>): Generator<Delta<Decoded>> {
    const keys = new Set([...this.#byKey.keys(), ...listed.keys()]);
    for (const key of [...keys].sort()) {
      const object = listed.get(key);
      const old = this.#byKey.get(key);
      if (object !== undefined) yield* this.put(object);
      else if (old !== undefined) yield* this.remove(old);
    }
  }

  /** Like `replace`, but older objects count too: the store of the server was restored. */
  *restore(listed: ReadonlyMap<string, Decoded>): Generator<Delta<Decoded>> {
    for (const [key, old] of this.#byKey) {
      const object = listed.get(key);
      if (object === undefined || uidOf(object) !== uidOf(old)) continue;
      if (!isOlder(resourceVersionOf(object), resourceVersionOf(old))) continue;
      this.#set(object, old);
      yield { type: 'updated', object, old };
    }
    yield* this.replace(listed);
  }

  #set(object: Decoded, old: Decoded | undefined): void {
    const key = keyOf(object);
    // First, because index functions may throw: then nothing has changed yet.
    for (const index of this.#all()) index.change(key, old, object);
    this.#byKey.set(key, object);
  }

  *#all(): Generator<ObjectIndex<Decoded>> {
    yield this.#namespaces;
    yield* this.#indexes.values();
  }
}
