import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExitError } from '#command/exit.ts';
import { printAside } from '#command/print.ts';

/** Refuses a `--html` that cannot be written, before anything is rehearsed. It writes nothing. */
export function checkPage(path: string | undefined): void {
  if (path === undefined) return;
  const why = reasonAgainst(path);
  if (why !== undefined) throw notWritable(path, why);
}

function reasonAgainst(path: string): string | undefined {
  if (path === '') return 'give the path of a file';
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true || path.endsWith('/'))
      return 'give the path of a file, not of a folder';
    const folder = dirname(path);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return `there is no folder ${folder}`;
    accessSync(there === undefined ? folder : path, constants.W_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Writes the page of `--html`. */
export function writePage(path: string, html: string): void {
  try {
    writeFileSync(path, html);
    printAside(`the page of the rehearsal is ${path}`);
  } catch (error) {
    throw notWritable(path, messageOf(error));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const notWritable = (path: string, why: string): ExitError =>
  new ExitError(2, `--html ${path} cannot be written: ${why}`);
