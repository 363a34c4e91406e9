import type { KubeObject } from '#kube/object.ts';

/** The values under which an object is found. Of the object alone: the same object gives the same values. */
export type IndexValues = (object: KubeObject) => readonly string[];

const none: readonly KubeObject[] = [];

/** Objects by a value, kept as they change. */
export class ObjectIndex {
  readonly #valuesOf: IndexValues;
  readonly #byValue = new Map<string, Map<string, KubeObject>>();

  constructor(valuesOf: IndexValues) {
    this.#valuesOf = valuesOf;
  }

  get(value: string): readonly KubeObject[] {
    const found = this.#byValue.get(value);
    return found === undefined ? none : [...found.values()];
  }

  change(key: string, old: KubeObject | undefined, object: KubeObject | undefined): void {
    const values = object === undefined ? [] : this.#valuesOf(object);
    const before = old === undefined ? [] : this.#valuesOf(old);
    for (const value of before) if (!values.includes(value)) this.#drop(value, key);
    if (object === undefined) return;
    for (const value of values) this.#under(value).set(key, object);
  }

  #under(value: string): Map<string, KubeObject> {
    const found = this.#byValue.get(value);
    if (found !== undefined) return found;
    const made = new Map<string, KubeObject>();
    this.#byValue.set(value, made);
    return made;
  }

  #drop(value: string, key: string): void {
    const found = this.#byValue.get(value);
    found?.delete(key);
    if (found?.size === 0) this.#byValue.delete(value);
  }
}
