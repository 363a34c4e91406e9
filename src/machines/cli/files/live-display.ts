import { textWidth } from '#base/text-width.ts';
import { millis } from '#base/time.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { systemClock } from '#edge/clock.ts';
import type { Display, Screen } from './display.ts';
import { eventTexts } from './event-text.ts';
import { firstPicture, frameOf, nextPicture } from './live-frame.ts';

const beat = millis(100);
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

/** One line per node, redrawn in place; failures and notices scroll above. */
export function liveDisplay(plan: MachinePlan, screen: Screen): Display {
  let picture = firstPicture(plan, systemClock.now());
  const textOf = eventTexts();
  let drawn: readonly string[] = [];
  let drawnColumns = screen.columns;
  let isDirty = true;
  const wipe = (): string => {
    const rows = rowsOf(drawn, screen.columns);
    return rows === 0 ? '' : `\u001B[${rows}A\u001B[0J`;
  };
  const draw = (): void => {
    const lines = frameOf(picture, systemClock.now(), screen);
    screen.write(`${wipe()}${lines.join('\n')}\n`);
    drawn = lines;
    drawnColumns = screen.columns;
    isDirty = false;
  };
  const scroll = (text: string): void => {
    screen.write(`${wipe()}${text}\n`);
    drawn = [];
    draw();
  };
  let stop: () => void;
  let ticks = 0;
  const tick = (): void => {
    ticks += 1;
    // Elapsed times change also when no event comes.
    if (isDirty || ticks % 10 === 0 || screen.columns !== drawnColumns) draw();
    stop = systemClock.after(beat, tick);
  };
  screen.write(hideCursor);
  // Also when a second Ctrl-C ends the program at once.
  const reveal = (): void => screen.write(showCursor);
  process.once('exit', reveal);
  stop = systemClock.after(beat, tick);
  return {
    show(event) {
      picture = nextPicture(picture, event);
      isDirty = true;
      const isTrouble = event.type === 'task' && event.outcome !== undefined && 'message' in event.outcome;
      if (isTrouble || event.type === 'notice') scroll(textOf(event) ?? '');
    },
    say: scroll,
    close() {
      stop();
      draw();
      process.off('exit', reveal);
      reveal();
    },
  };
}

/** A terminal that was made narrower shows a line that was drawn before in several rows. */
const rowsOf = (lines: readonly string[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
