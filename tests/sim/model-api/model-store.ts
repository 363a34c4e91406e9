import { nameOf, namespaceOf, withMeta, type KubeObject } from '#kube/object.ts';

/** One change, in the order of the store. */
export type ModelChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly storage: string;
  readonly object: KubeObject;
  readonly before: KubeObject | undefined;
  readonly revision: number;
};

type NamedObjects = Map<string, KubeObject>;

const none: ReadonlyMap<string, KubeObject> = new Map();

/** Objects by table, namespace and name, and the log of their changes. Objects are shared and never changed. */
export class ModelStore {
  readonly #tables = new Map<string, Map<string, NamedObjects>>();
  readonly #logs = new Map<string, ModelChange[]>();
  #listeners: readonly ((change: ModelChange) => void)[] = [];
  #revision = 0;
  #compacted = 0;

  get revision(): number {
    return this.#revision;
  }

  /** Changes up to this revision are forgotten: a watch from an older one is refused. */
  get compacted(): number {
    return this.#compacted;
  }

  compact(): void {
    this.#compacted = this.#revision;
  }

  subscribe(listener: (change: ModelChange) => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  get(storage: string, namespace: string, name: string): KubeObject | undefined {
    return this.#tables.get(storage)?.get(namespace)?.get(name);
  }

  /** The objects of one namespace by name, in the order of creation. */
  within(storage: string, namespace: string): ReadonlyMap<string, KubeObject> {
    return this.#tables.get(storage)?.get(namespace) ?? none;
  }

  /** All objects in the order of their keys, as lists have them. */
  all(storage: string): readonly KubeObject[] {
    const found: KubeObject[] = [];
    for (const objects of this.#tables.get(storage)?.values() ?? []) found.push(...objects.values());
    return found.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  }

  log(storage: string): readonly ModelChange[] {
    return this.#logOf(storage);
  }

  put(storage: string, object: KubeObject): KubeObject {
    const objects = this.#named(storage, namespaceOf(object));
    const before = objects.get(nameOf(object));
    this.#revision += 1;
    const stored = withMeta(object, { resourceVersion: String(this.#revision) });
    objects.set(nameOf(object), stored);
    this.#publish({ type: before === undefined ? 'ADDED' : 'MODIFIED', storage, object: stored, before });
    return stored;
  }

  /** Shows listeners an object that nobody reads again: it is not kept. */
  pass(storage: string, object: KubeObject): KubeObject {
    const change = { type: 'ADDED', storage, object, before: undefined, revision: this.#revision } as const;
    for (const listener of this.#listeners) listener(change);
    return object;
  }

  /** The last state of the object has the revision of its removal. */
  remove(storage: string, object: KubeObject): KubeObject {
    const objects = this.#named(storage, namespaceOf(object));
    const before = objects.get(nameOf(object));
    objects.delete(nameOf(object));
    this.#revision += 1;
    const last = withMeta(object, { resourceVersion: String(this.#revision) });
    this.#publish({ type: 'DELETED', storage, object: last, before });
    return last;
  }

  #named(storage: string, namespace: string): NamedObjects {
    const table = entry(this.#tables, storage, () => new Map<string, NamedObjects>());
    return entry(table, namespace, () => new Map<string, KubeObject>());
  }

  #logOf(storage: string): ModelChange[] {
    return entry(this.#logs, storage, () => []);
  }

  #publish(done: Omit<ModelChange, 'revision'>): void {
    const change = { ...done, revision: this.#revision };
    this.#logOf(done.storage).push(change);
    for (const listener of this.#listeners) listener(change);
  }
}

const keyOf = (object: KubeObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Where in a log the changes after a revision begin. */
export function placeAfter(log: readonly ModelChange[], revision: number): number {
  let [from, to] = [0, log.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((log[middle]?.revision ?? 0) <= revision) from = middle + 1;
    else to = middle;
  }
  return from;
}
