import type { ProgressEvent } from '#decide/machines/events.ts';
import type { Plan } from '#decide/machines/plan.ts';
import { jsonDisplay } from './json-display.ts';
import { liveDisplay } from './live-display.ts';
import { plainDisplay } from './plain-display.ts';

/** Shows people or programs what the engine tells. */
export type Display = {
  show(event: ProgressEvent): void;
  /** Something to say beside the events; `json` is the same for programs. */
  say(message: string): void;
  close(): void;
};

/** What a display writes to. */
export type Screen = {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
};

export function openDisplay(plan: Plan, json: boolean): Display {
  const write = (text: string): void => void process.stdout.write(text);
  if (json) return jsonDisplay(write);
  if (!process.stdout.isTTY) return plainDisplay(write);
  return liveDisplay(plan, {
    write,
    get columns() {
      return process.stdout.columns;
    },
    get rows() {
      return process.stdout.rows;
    },
  });
}
