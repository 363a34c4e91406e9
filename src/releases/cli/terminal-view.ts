import { systemClock } from '#edge/clock.ts';
import { terminalSize } from '#command/terminal-width.ts';
import { startRedraw, type Redraw, type TerminalSize } from './redraw.ts';
import { readKeys } from './terminal-keys.ts';

/** Whether stdout is a terminal that can be redrawn. */
export const canRedraw = (): boolean => process.stdout.isTTY && process.env['TERM'] !== 'dumb';

/** Redraws in the terminal of the process until `close`, also when it is resized, suspended or ended. */
export function openTerminalView(
  frame: (size: TerminalSize) => readonly string[],
): Pick<Redraw, 'changed' | 'close'> {
  const terminal = { write: (text: string): void => void process.stdout.write(text), size: terminalSize };
  const redraw = startRedraw(terminal, systemClock, frame);
  const suspend = (): void => {
    redraw.suspend();
    keys.stop();
    process.kill(process.pid, 'SIGSTOP');
  };
  const resume = (): void => {
    keys.start();
    redraw.resume();
  };
  const keys = readKeys({
    interrupt: () => process.kill(process.pid, 'SIGINT'),
    suspend,
    refresh: () => redraw.resume(),
  });
  const resize = (): void => redraw.changed();
  const close = (): void => {
    keys.stop();
    redraw.close();
  };
  process.stdout.on('resize', resize);
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', resume);
  // Also when an error ends the program.
  process.once('exit', close);
  keys.start();
  return {
    changed: () => redraw.changed(),
    close() {
      process.stdout.off('resize', resize);
      process.off('SIGTSTP', suspend);
      process.off('SIGCONT', resume);
      process.off('exit', close);
      close();
    },
  };
}
