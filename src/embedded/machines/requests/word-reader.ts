/** Reads what `quote` of edge/ssh has written, word by word. */
export class WordReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at = 0) {
    this.#text = text;
    this.#at = at;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Moves behind a text that stands here; false when another one does. */
  take(text: string): boolean {
    const isHere = this.#text.startsWith(text, this.#at);
    if (isHere) this.#at += text.length;
    return isHere;
  }

  /** The word that begins here; undefined when none does. */
  word(): string | undefined {
    const part = /[\w@%+=:,./-]+|'([^']*)'|\\(')/y;
    let word: string | undefined;
    for (;;) {
      part.lastIndex = this.#at;
      const found = part.exec(this.#text);
      if (found === null) return word;
      this.#at += found[0].length;
      word = `${word ?? ''}${found[1] ?? found[2] ?? found[0]}`;
    }
  }

  /** Words apart by single blanks. */
  words(): readonly string[] {
    const words: string[] = [];
    do {
      const word = this.word();
      if (word === undefined) return words;
      words.push(word);
    } while (this.take(' '));
    return words;
  }
}
