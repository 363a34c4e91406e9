import type { Note } from './event-series.ts';

/** What an Event about an object is made from. */
export type { Note } from './event-series.ts';

export const normal = (reason: string, message: string): Note => ({ type: 'Normal', reason, message });
export const warning = (reason: string, message: string): Note => ({ type: 'Warning', reason, message });
