/**
 * Why a text is not JSON, in the words of Go's decoder, which is what clients of Kubernetes know. Called only
 * after JSON.parse has refused the text, so only its growth matters, not its speed.
 */
export function jsonSyntaxError(text: string): string {
  try {
    new Scanner(text).document();
  } catch (error) {
    if (error instanceof SyntaxFault) return error.message;
    throw error;
  }
  return 'invalid character in JSON input';
}

class SyntaxFault extends Error {}

const unexpectedEnd = 'unexpected end of JSON input';
const deepest = 10_000;

class Scanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    this.#space();
    if (this.#at < this.#text.length) throw this.#fault('after top-level value');
  }

  #fault(where: string): SyntaxFault {
    if (this.#at >= this.#text.length) return new SyntaxFault(unexpectedEnd);
    return new SyntaxFault(`invalid character ${quoted(this.#text.charAt(this.#at))} ${where}`);
  }

  #space(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #value(): void {
    this.#space();
    const letter = this.#text.charAt(this.#at);
    if (letter === '{') this.#nested(() => this.#object());
    else if (letter === '[') this.#nested(() => this.#array());
    else if (letter === '"') this.#string();
    else if (/[-0-9]/.test(letter)) this.#number();
    else if (letter === 't') this.#literal('true');
    else if (letter === 'f') this.#literal('false');
    else if (letter === 'n') this.#literal('null');
    else throw this.#fault('looking for beginning of value');
  }

  #nested(read: () => void): void {
    this.#depth += 1;
    if (this.#depth > deepest) throw new SyntaxFault('exceeded max depth');
    read();
    this.#depth -= 1;
  }

  #object(): void {
    this.#at += 1;
    this.#space();
    if (this.#take('}')) return;
    for (;;) {
      this.#space();
      if (this.#text.charAt(this.#at) !== '"')
        throw this.#fault('looking for beginning of object key string');
      this.#string();
      this.#space();
      if (!this.#take(':')) throw this.#fault('after object key');
      this.#value();
      this.#space();
      if (this.#take('}')) return;
      if (!this.#take(',')) throw this.#fault('after object key:value pair');
    }
  }

  #array(): void {
    this.#at += 1;
    this.#space();
    if (this.#take(']')) return;
    for (;;) {
      this.#value();
      this.#space();
      if (this.#take(']')) return;
      if (!this.#take(',')) throw this.#fault('after array element');
    }
  }

  #take(letter: string): boolean {
    if (this.#text.charAt(this.#at) !== letter) return false;
    this.#at += 1;
    return true;
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const letter = this.#text.charAt(this.#at);
      if (letter === '' || letter < ' ') throw this.#fault('in string literal');
      this.#at += 1;
      if (letter === '"') return;
      if (letter === '\\') this.#escape();
    }
  }

  #escape(): void {
    const letter = this.#text.charAt(this.#at);
    if (letter === '' || !'"\\/bfnrtu'.includes(letter)) throw this.#fault('in string escape code');
    this.#at += 1;
    if (letter !== 'u') return;
    for (let count = 0; count < 4; count += 1) {
      if (!/[0-9a-fA-F]/.test(this.#text.charAt(this.#at)))
        throw this.#fault(String.raw`in \u hexadecimal character escape`);
      this.#at += 1;
    }
  }

  #number(): void {
    this.#take('-');
    if (!this.#take('0')) this.#digits('in numeric literal');
    if (this.#take('.')) this.#digits('after decimal point in numeric literal');
    if (this.#take('e') || this.#take('E')) {
      if (!this.#take('+')) this.#take('-');
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(where: string): void {
    if (!isDigit(this.#text.charCodeAt(this.#at))) throw this.#fault(where);
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (!this.#take(letter)) throw this.#fault(`in literal ${word} (expecting '${letter}')`);
    }
  }
}

/** Codes and not patterns: a text may be megabytes of blanks. Beyond the end the code is NaN. */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** A character as Go quotes it in such a message. */
function quoted(letter: string): string {
  if (letter === "'") return String.raw`'\''`;
  if (letter === '"') return `'"'`;
  const code = letter.charCodeAt(0);
  if (code >= 0x20 && code !== 0x7f && code < 0x80) return `'${letter}'`;
  const named: Readonly<Record<string, string>> = {
    '\n': String.raw`\n`,
    '\r': String.raw`\r`,
    '\t': String.raw`\t`,
  };
  return `'${named[letter] ?? (code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : letter)}'`;
}
