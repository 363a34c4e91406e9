import type { Note } from './event-series.ts';

/** Something a decision wants said of its object: it becomes an event. */
export type { Note } from './event-series.ts';

export const normal = (reason: string, message: string): Note => ({ type: 'Normal', reason, message });
export const warning = (reason: string, message: string): Note => ({ type: 'Warning', reason, message });
