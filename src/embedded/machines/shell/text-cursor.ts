import { NotUnderstood } from './syntax.ts';

/** A place in the text of a script. */
export class TextCursor {
  readonly text: string;
  at = 0;
  /** Where a line ends behind which a here-document was read already, and where to go on. */
  #jump: { readonly from: number; readonly to: number } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Moves behind a text that stands here. */
  take(text: string): boolean {
    const isHere = this.peek(text);
    if (isHere) this.at += text.length;
    return isHere;
  }

  /** Moves behind what a sticky expression matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail(`${text} is missing`);
  }

  /** Blanks, continued lines and a comment. */
  skipBlanks(): void {
    this.match(/(?:[ \t]|\\\n)+/y);
    const before = this.text[this.at - 1] ?? '\n';
    if (/[\s;&|()]/.test(before)) this.match(/#[^\n]*/y);
  }

  /** Blanks, comments and ends of lines. */
  skipLines(): void {
    for (;;) {
      this.skipBlanks();
      if (!this.peek('\n')) return;
      if (this.#jump?.from === this.at) this.at = this.#jump.to;
      else this.at += 1;
    }
  }

  /** The lines up to one that is the mark alone; reading goes on here, and behind them after the end of this line. */
  hereDocument(mark: string): string {
    const endOfLine = this.text.indexOf('\n', this.at);
    const from = this.#jump !== undefined && this.#jump.from === endOfLine ? this.#jump.to : endOfLine + 1;
    const end = endOfLine < 0 ? -1 : `\n${this.text.slice(from)}\n`.indexOf(`\n${mark}\n`);
    if (end < 0) this.fail(`the here-document has no end ${mark}`);
    this.#jump = { from: endOfLine, to: Math.min(from + end + mark.length + 1, this.text.length) };
    return this.text.slice(from, from + end);
  }

  fail(what: string): never {
    throw new NotUnderstood(this.text.slice(0, this.at).split('\n').length, what);
  }
}
