import type { Display } from './display.ts';
import { eventText } from './event-text.ts';

/** Where there is no terminal: one line per change of state. */
export const plainDisplay = (write: (text: string) => void): Display => ({
  show: (event) => {
    const text = eventText(event);
    if (text !== undefined) write(`${text}\n`);
  },
  say: (message) => write(`${message}\n`),
  close: () => undefined,
});
