import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for their owner only; gives those that were missing, the lowest last. One after
 * the other: where a folder can be listed but none can be made in it, as in /proc, Node's `recursive` never ends.
 */
export function makeFolder(path: string): readonly string[] {
  if (isFolder(path)) return [];
  const above = dirname(path) === path ? [] : makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the meantime.
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isThere && isFolder(path)) return above;
    removeFolders(above);
    throw error;
  }
  return [...above, path];
}

/** Throws when the folder cannot be made; leaves nothing behind. */
export function tryMakeFolder(path: string): void {
  removeFolders(makeFolder(path));
}

function removeFolders(made: readonly string[]): void {
  for (const path of made.toReversed()) rmdirSync(path);
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
