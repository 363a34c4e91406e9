import { millis, type Clock } from '#base/time.ts';

export type TerminalSize = { readonly columns: number; readonly rows: number };

/** The part of a terminal that a redrawn view needs. */
export type RedrawTerminal = {
  readonly write: (text: string) => void;
  readonly size: () => TerminalSize;
};

export type Redraw = {
  /** There is something new to show. It is drawn at once, or when the last frame is old enough. */
  changed(): void;
  /** Restores the terminal. The last frame stays as ordinary lines. */
  close(): void;
  /** The terminal is given to the shell, or taken back. */
  suspend(): void;
  resume(): void;
};

/** At most five frames per second. */
const betweenFrames = millis(200);
/** Ages and countdowns change without an event. */
const beat = millis(1000);

const escape = '\u001B[';
/** The alternate screen, without cursor, and without a wrap of lines that are too long. */
const enter = `${escape}?1049h${escape}?25l${escape}?7l`;
const leave = `${escape}?7h${escape}?25h${escape}?1049l`;
/** Terminals that know synchronized output show a frame only when it is whole. */
const begin = `${escape}?2026h${escape}H`;
const end = `${escape}0m${escape}J${escape}?2026l`;
const restOfLine = `${escape}0m${escape}K`;

/**
 * Draws frames over each other: one write for each, and none when nothing has changed. Every line is followed by the
 * deletion of the rest of its row, so nothing is cleared before it is drawn again.
 */
export function startRedraw(
  terminal: RedrawTerminal,
  clock: Pick<Clock, 'now' | 'after'>,
  frame: (size: TerminalSize) => readonly string[],
): Redraw {
  const draw = drawer(terminal, frame);
  let last = -Infinity;
  let cancel: (() => void) | undefined;
  let isOpen = false;
  const arm = (span: number): void => {
    cancel?.();
    cancel = clock.after(millis(Math.max(0, span)), look);
  };
  const look = (): void => {
    last = clock.now();
    draw(false);
    arm(beat);
  };
  const start = (): void => {
    isOpen = true;
    terminal.write(enter);
    draw(true);
    last = clock.now();
    arm(beat);
  };
  const stop = (): void => {
    isOpen = false;
    cancel?.();
    terminal.write(leave);
  };
  start();
  return {
    changed() {
      if (isOpen) arm(Math.min(beat, last + betweenFrames - clock.now()));
    },
    suspend: stop,
    resume: start,
    close() {
      if (!isOpen) return;
      stop();
      const lines = frame(terminal.size());
      terminal.write(lines.map((line) => `${line}\n`).join(''));
    },
  };
}

/** Writes a frame when it differs from the last one, or when the terminal has another size. */
function drawer(
  { write, size }: RedrawTerminal,
  frame: (size: TerminalSize) => readonly string[],
): (isForced: boolean) => void {
  let drawn = '';
  return (isForced) => {
    const { columns, rows } = size();
    const lines = frame({ columns, rows }).slice(0, rows);
    const text = `${begin}${lines.map((line) => `${line}${restOfLine}`).join('\r\n')}${end}`;
    const key = `${columns} ${rows} ${text}`;
    if (key === drawn && !isForced) return;
    drawn = key;
    write(text);
  };
}
