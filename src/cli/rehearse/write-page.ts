import { writeFileSync } from 'node:fs';
import { ExitError } from '#command/exit.ts';
import { printAside } from '#command/print.ts';

/** Writes the page of `--html`. */
export function writePage(path: string, html: string): void {
  try {
    writeFileSync(path, html);
    printAside(`the page of the rehearsal is ${path}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(2, `--html ${path} cannot be written: ${why}`);
  }
}
