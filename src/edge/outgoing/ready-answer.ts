import { millis } from '#base/time.ts';
import type { OutgoingAnswer } from './outgoing.ts';

/** An answer that no server sent, and that took no time. */
export const readyAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): OutgoingAnswer => ({ type: 'answer', status, headers, body, latency: millis(0) });
