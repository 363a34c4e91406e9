import { formatTime, type Instant } from '#base/time.ts';
import type { Display } from './display.ts';

/** One JSON object per line: the engine's events as they are, with times that people can read. */
export const jsonDisplay = (write: (text: string) => void): Display => ({
  show: (event) => {
    const wakeAt =
      'wakeAt' in event && event.wakeAt !== undefined ? { wakeAt: formatTime(event.wakeAt) } : {};
    write(`${JSON.stringify({ ...event, at: timeOf(event.at), ...wakeAt })}\n`);
  },
  say: (message) => write(`${JSON.stringify({ type: 'message', message })}\n`),
  close: () => undefined,
});

const timeOf = (at: Instant): string => formatTime(at);
