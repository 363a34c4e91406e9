import type { Stored } from './stored.ts';

/** The live objects of one resource, in the order of their keys. */
export class Table {
  readonly #byKey = new Map<string, Stored>();
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): Stored | undefined {
    return this.#byKey.get(key);
  }

  set(stored: Stored): void {
    if (!this.#byKey.has(stored.key)) this.#keys.splice(this.#position(stored.key), 0, stored.key);
    this.#byKey.set(stored.key, stored);
  }

  delete(key: string): void {
    if (!this.#byKey.delete(key)) return;
    this.#keys.splice(this.#position(key), 1);
  }

  /** All objects, or those of one namespace, from `start` on (inclusive). */
  *range(namespace: string | undefined, start = ''): Generator<Stored> {
    const first = namespace === undefined ? start : maxText(start, `${namespace}/`);
    // '0' follows '/' in ASCII, so this is the first key after all keys of the namespace.
    const end = namespace === undefined ? undefined : `${namespace}0`;
    for (let at = this.#position(first); at < this.#keys.length; at += 1) {
      const key = this.#keys[at];
      if (key === undefined || (end !== undefined && key >= end)) return;
      const stored = this.#byKey.get(key);
      if (stored !== undefined) yield stored;
    }
  }

  /** How many objects a range holds, without walking it. */
  count(namespace: string | undefined): number {
    if (namespace === undefined) return this.#keys.length;
    return this.#position(`${namespace}0`) - this.#position(`${namespace}/`);
  }

  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const maxText = (left: string, right: string): string => (left > right ? left : right);
