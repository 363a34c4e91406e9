import type { MachinePlan } from '#machines/decide/plan.ts';
import { terminalSize } from '#command/terminal-width.ts';
import type { Display } from './display.ts';
import { jsonDisplay } from './json-display.ts';
import { liveDisplay } from './live-display.ts';
import { plainDisplay } from './plain-display.ts';

/** The live display in a terminal, plain lines elsewhere, JSON with `-o json`. */
export function openDisplay(plan: MachinePlan, json: boolean): Display {
  const write = (text: string): void => void process.stdout.write(text);
  if (json) return jsonDisplay(write);
  if (!process.stdout.isTTY) return plainDisplay(write);
  return liveDisplay(plan, {
    write,
    get columns() {
      return terminalSize().columns;
    },
    get rows() {
      return terminalSize().rows;
    },
  });
}
