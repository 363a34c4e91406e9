import type { ProgressEvent } from '#machines/decide/events.ts';

/** Prints the events of the engine. */
export type Display = {
  show(event: ProgressEvent): void;
  /** Prints a message that is not an event. */
  say(message: string): void;
  close(): void;
};

/** What a display writes to. */
export type Screen = {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
};
