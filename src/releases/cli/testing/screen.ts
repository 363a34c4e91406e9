import { textWidth } from '#base/text-width.ts';

const escape = '\u001B';
const token = new RegExp(`${escape}\\[([?0-9;]*)([A-Za-z])|${escape}.|[^${escape}]`, 'gsu');

/** A whole picture as a person sees it. */
export type ShownFrame = { readonly rows: readonly string[] };

/**
 * As much of a terminal as redrawn views use. It records every frame, and as faults what a person would see as flicker
 * or as a broken line.
 */
export class TestScreen {
  columns: number;
  rows: number;
  readonly frames: ShownFrame[] = [];
  readonly faults: string[] = [];
  isCursorShown = true;
  isAlternate = false;
  doesWrap = true;
  /** What was written to the ordinary screen. */
  ordinary = '';
  #cells: string[][] = [];
  #x = 0;
  #y = 0;
  #isInFrame = false;
  /** Cells with something in them that were erased in this frame. */
  #erased = new Set<string>();

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#cells = this.#cells.slice(0, rows).map((row) => row.slice(0, columns));
  }

  write(text: string): void {
    for (const [whole, parameters = '', command] of text.matchAll(token)) {
      if (command !== undefined) this.#control(parameters, command);
      else if (!this.isAlternate) this.ordinary += whole;
      else this.#put(whole);
    }
  }

  /** What is on the screen, without blanks at the ends. */
  picture(): readonly string[] {
    const rows = Array.from({ length: this.rows }, (_, y) =>
      Array.from(this.#cells[y] ?? [], (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1);
  }

  #control(parameters: string, command: string): void {
    if (parameters.startsWith('?')) this.#mode(parameters, command === 'h');
    else if (command === 'H') [this.#x, this.#y] = [0, 0];
    else if (command === 'K') this.#erase(this.#y, this.#x);
    else if (command === 'J') {
      this.#erase(this.#y, this.#x);
      for (let y = this.#y + 1; y < this.rows; y += 1) this.#erase(y, 0);
    } else if (command !== 'm') this.faults.push(`unknown control ${parameters}${command}`);
  }

  #mode(mode: string, isOn: boolean): void {
    switch (mode) {
      case '?1049':
        this.isAlternate = isOn;
        this.#cells = [];
        return;
      case '?25':
        this.isCursorShown = isOn;
        return;
      case '?7':
        this.doesWrap = isOn;
        return;
      case '?2026':
        this.#isInFrame = isOn;
        this.#erased = new Set();
        if (!isOn) this.frames.push({ rows: this.picture() });
        return;
      default:
        this.faults.push(`unknown mode ${mode}`);
    }
  }

  #put(letter: string): void {
    if (letter === '\r') {
      this.#x = 0;
      return;
    }
    if (letter === '\n') {
      this.#y += 1;
      if (this.#y >= this.rows) this.faults.push(`scrolled at row ${this.#y}`);
      this.#y = Math.min(this.#y, this.rows - 1);
      return;
    }
    if (!this.#isInFrame) this.faults.push(`"${letter}" is outside of a frame`);
    const width = textWidth(letter);
    if (this.#x + width > this.columns) {
      this.faults.push(`row ${this.#y} is wider than ${this.columns}`);
      return;
    }
    const row = (this.#cells[this.#y] ??= []);
    row[this.#x] = letter;
    for (let more = 1; more < width; more += 1) row[this.#x + more] = '';
    if (letter !== ' ' && this.#erased.has(`${this.#x} ${this.#y}`))
      this.faults.push(`row ${this.#y} was erased before it was drawn`);
    this.#x += width;
  }

  #erase(y: number, from: number): void {
    const row = this.#cells[y] ?? [];
    for (let x = from; x < row.length; x += 1) if ((row[x] ?? ' ') !== ' ') this.#erased.add(`${x} ${y}`);
    this.#cells[y] = row.slice(0, from);
  }
}
