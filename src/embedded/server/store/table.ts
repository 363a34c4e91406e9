import type { Stored } from './stored.ts';
import { WordIndex, type WordsOf } from './word-index.ts';

/** Inserting moves at most this many keys, however many there are. */
const blockSize = 512;

/** The live objects of one resource, in the order of their keys. */
export class Table {
  readonly #byKey = new Map<string, Stored>();
  /** Sorted keys, cut into blocks; none is empty. */
  readonly #blocks: string[][] = [];
  readonly #indexes = new Map<WordsOf, WordIndex>();

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Stored | undefined {
    return this.#byKey.get(key);
  }

  set(stored: Stored): void {
    const { key } = stored;
    const before = this.#byKey.size;
    this.#byKey.set(key, stored);
    if (this.#byKey.size > before) this.#insert(key);
    for (const index of this.#indexes.values()) index.set(stored);
  }

  delete(key: string): void {
    if (!this.#byKey.delete(key)) return;
    for (const index of this.#indexes.values()) index.delete(key);
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    if (block === undefined) return;
    block.splice(position(block, key), 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /** All objects, or those of one namespace, from `start` on (inclusive). Not to be changed while it is walked. */
  *range(namespace: string | undefined, start = ''): Generator<Stored> {
    const first = namespace === undefined ? start : maxText(start, `${namespace}/`);
    // '0' follows '/' in ASCII, so this is the first key after all keys of the namespace.
    const end = namespace === undefined ? undefined : `${namespace}0`;
    for (let at = this.#blockOf(first); at < this.#blocks.length; at += 1) {
      const block = this.#blocks[at] ?? [];
      for (let i = position(block, first); i < block.length; i += 1) {
        const key = block[i];
        if (key === undefined || (end !== undefined && key >= end)) return;
        const stored = this.#byKey.get(key);
        if (stored !== undefined) yield stored;
      }
    }
  }

  /** The keys of the objects that have a word. The first call builds the index, later calls use it. */
  having(wordsOf: WordsOf, word: string): ReadonlySet<string> {
    let index = this.#indexes.get(wordsOf);
    if (index === undefined) {
      index = new WordIndex(wordsOf);
      for (const stored of this.#byKey.values()) index.set(stored);
      this.#indexes.set(wordsOf, index);
    }
    return index.keys(word);
  }

  /** How many objects a range holds, without walking it. */
  count(namespace: string | undefined): number {
    if (namespace === undefined) return this.#byKey.size;
    return this.#rank(`${namespace}0`) - this.#rank(`${namespace}/`);
  }

  #insert(key: string): void {
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([key]);
      return;
    }
    block.splice(position(block, key), 0, key);
    if (block.length <= blockSize) return;
    // Keys often come in order: then the last block stays nearly full.
    const kept = at === this.#blocks.length - 1 ? blockSize : blockSize >> 1;
    this.#blocks.splice(at + 1, 0, block.splice(kept));
  }

  #rank(key: string): number {
    const at = this.#blockOf(key);
    let rank = position(this.#blocks[at] ?? [], key);
    for (let i = 0; i < at; i += 1) rank += this.#blocks[i]?.length ?? 0;
    return rank;
  }

  /** The last block that begins at or before the key. */
  #blockOf(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle]?.[0] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

function position(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

const maxText = (left: string, right: string): string => (left > right ? left : right);
