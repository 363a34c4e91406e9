import type { ProgressEvent } from '#machines/decide/events.ts';

/** Shows people or programs what the engine tells. */
export type Display = {
  show(event: ProgressEvent): void;
  /** Something to say beside the events. */
  say(message: string): void;
  close(): void;
};

/** What a display writes to. */
export type Screen = {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
};
