import { integerFrom } from './integer.ts';
import { endOfString } from './json-depth.ts';
import type { Json, MutableJsonObject } from './json.ts';
import { putMember } from './put-member.ts';

/**
 * The value of a text that is known to be JSON, its integers exact. Only for texts with long numbers: JSON.parse is
 * faster, but with a reviver, its own way to see the digits, it is five times as slow as this.
 */
export const readExactly = (text: string): Json => new ExactReader(text).value(0);

/** Deeper than anything that is read, and far from the end of the stack. */
const deepest = 2000;

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openMap = 0x7b;
const closeMap = 0x7d;

class ExactReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Json {
    if (depth > deepest) throw new SyntaxError(`JSON with long numbers is nested deeper than ${deepest}`);
    switch (this.#next()) {
      case openMap:
        return this.#map(depth);
      case openList:
        return this.#list(depth);
      case quote:
        return this.#string();
      case 0x74:
        return this.#word(4, true);
      case 0x66:
        return this.#word(5, false);
      case 0x6e:
        return this.#word(4, null);
      default:
        return this.#number();
    }
  }

  /** The code of the next character that is not a blank. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at += 1;
    }
  }

  #word<Value extends boolean | null>(length: number, value: Value): Value {
    this.#at += length;
    return value;
  }

  #map(depth: number): Json {
    const members: MutableJsonObject = {};
    this.#at += 1;
    if (this.#next() === closeMap) return this.#closed(members);
    for (;;) {
      this.#next();
      const key = this.#string();
      this.#next();
      this.#at += 1;
      putMember(members, key, this.value(depth + 1));
      if (this.#next() !== comma) return this.#closed(members);
      this.#at += 1;
    }
  }

  #list(depth: number): Json {
    const items: Json[] = [];
    this.#at += 1;
    if (this.#next() === closeList) return this.#closed(items);
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.#next() !== comma) return this.#closed(items);
      this.#at += 1;
    }
  }

  #closed<Value>(value: Value): Value {
    this.#at += 1;
    return value;
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start);
    this.#at = end + 1;
    const inner = this.#text.slice(start + 1, end);
    return inner.includes('\\') ? (JSON.parse(this.#text.slice(start, end + 1)) as string) : inner;
  }

  #number(): number | bigint {
    const start = this.#at;
    let isWhole = true;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      const isDigit = code >= 0x30 && code <= 0x39;
      if (!isDigit && !isNumberSign(code)) break;
      isWhole &&= isDigit || this.#at === start;
      this.#at += 1;
    }
    const digits = this.#text.slice(start, this.#at);
    return isWhole && digits.length > 15 ? integerFrom(digits) : Number(digits);
  }
}

/** `+`, `-`, `.`, `E` and `e`. */
const isNumberSign = (code: number): boolean =>
  code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;
