import type { KubeObject } from '#kube/object.ts';
import type { Stored } from './stored.ts';

/** The words by which an object is found, such as the addresses that it holds. Always the same for the same object. */
export type WordsOf = (object: KubeObject) => readonly string[];

/** An index from words to the keys of the objects that have them. */
export class WordIndex {
  readonly #wordsOf: WordsOf;
  readonly #words = new Map<string, readonly string[]>();
  readonly #keys = new Map<string, Set<string>>();

  constructor(wordsOf: WordsOf) {
    this.#wordsOf = wordsOf;
  }

  keys(word: string): ReadonlySet<string> {
    return this.#keys.get(word) ?? none;
  }

  set(stored: Stored): void {
    this.delete(stored.key);
    const words = this.#wordsOf(stored.object);
    if (words.length === 0) return;
    this.#words.set(stored.key, words);
    for (const word of words) {
      const keys = this.#keys.get(word) ?? new Set<string>();
      this.#keys.set(word, keys.add(stored.key));
    }
  }

  delete(key: string): void {
    for (const word of this.#words.get(key) ?? []) {
      const keys = this.#keys.get(word);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(word);
    }
    this.#words.delete(key);
  }
}

const none: ReadonlySet<string> = new Set();
