import type { KubeObject, WithMetadata } from '#kube/object.ts';

/** The values under which an object is found. They depend on the object alone. */
export type IndexValues<Decoded extends WithMetadata = KubeObject> = (object: Decoded) => readonly string[];

const none: readonly never[] = [];

/** Objects by a value, kept as they change. */
export class ObjectIndex<Decoded extends WithMetadata = KubeObject> {
  readonly #valuesOf: IndexValues<Decoded>;
  readonly #byValue = new Map<string, Map<string, Decoded>>();

  constructor(valuesOf: IndexValues<Decoded>) {
    this.#valuesOf = valuesOf;
  }

  get(value: string): readonly Decoded[] {
    const found = this.#byValue.get(value);
    return found === undefined ? none : [...found.values()];
  }

  change(key: string, old: Decoded | undefined, object: Decoded | undefined): void {
    const values = object === undefined ? [] : this.#valuesOf(object);
    const before = old === undefined ? [] : this.#valuesOf(old);
    for (const value of before) if (!values.includes(value)) this.#drop(value, key);
    if (object === undefined) return;
    for (const value of values) this.#under(value).set(key, object);
  }

  #under(value: string): Map<string, Decoded> {
    const found = this.#byValue.get(value);
    if (found !== undefined) return found;
    const made = new Map<string, Decoded>();
    this.#byValue.set(value, made);
    return made;
  }

  #drop(value: string, key: string): void {
    const found = this.#byValue.get(value);
    found?.delete(key);
    if (found?.size === 0) this.#byValue.delete(value);
  }
}
