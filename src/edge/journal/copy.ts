import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { headPath } from './head.ts';

export const journalFiles = (path: string): readonly string[] => [path, `${path}-wal`, headPath(path)];

/** The journal was written to so much that no copy of it hangs together. */
export class CopyNeverStill extends Error {
  constructor(path: string) {
    super(`The journal ${path} changed too fast to be copied: try again, or stop the server first.`);
    this.name = 'CopyNeverStill';
  }
}

const attempts = 50;

/**
 * Copies a journal, also while a server in another process writes to it. Pages reach the main file only from the
 * log, and the log starts again from its beginning only with a new header. So a copy of the file and then of the
 * log is complete when the log's header is the same before and after. The head is copied first: the copy
 * reaches at least that far.
 */
export function copyJournal(path: string, to: string): void {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    for (const file of journalFiles(to)) rmSync(file, { force: true });
    copyIfThere(headPath(path), headPath(to));
    const before = logHeader(path);
    copyFileSync(path, to);
    copyIfThere(`${path}-wal`, `${to}-wal`);
    if (logHeader(path) === before) return;
  }
  throw new CopyNeverStill(path);
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (existsSync(from)) throw error;
  }
}

const headerSize = 32;

function logHeader(path: string): string {
  const log = `${path}-wal`;
  if (!existsSync(log)) return '';
  const header = Buffer.alloc(headerSize);
  const file = openSync(log, 'r');
  const size = readSync(file, header, 0, headerSize, 0);
  closeSync(file);
  return header.toString('hex', 0, size);
}
