import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a file as a whole: readers see the old or the new content, also after a crash. */
export function writeFileAtomically(path: string, content: string, mode: number): void {
  const draft = `${path}.${process.pid}.tmp`;
  // A draft left by a crash may carry another mode.
  rmSync(draft, { force: true });
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
