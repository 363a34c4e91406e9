import { seconds, type Instant } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { Display } from './display.ts';
import { eventTexts } from './event-text.ts';

/** Time between two lines about the progress of a copy. */
const pause = seconds(10);

/** Where there is no terminal: one line per change of state. */
export function plainDisplay(write: (text: string) => void): Display {
  const textOf = eventTexts();
  const copies = new Map<string, Instant>();
  const isNews = (event: ProgressEvent): boolean => {
    if (event.type !== 'copy') return true;
    const key = `${event.step}@${event.node}`;
    const last = copies.get(key);
    // A short copy prints no progress; the task reports its end.
    if (last !== undefined && event.at - last < pause) return false;
    copies.set(key, event.at);
    return last !== undefined;
  };
  return {
    show: (event) => {
      const text = isNews(event) ? textOf(event) : undefined;
      if (text !== undefined) write(`${text}\n`);
    },
    say: (message) => write(`${message}\n`),
    close: () => undefined,
  };
}
