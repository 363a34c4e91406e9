import { accessSync, constants, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolder, tryMakeFolder } from '#edge/make-folder.ts';
import { ExitError } from './exit.ts';

/** Makes the folder that a flag names, or explains why that is not possible. */
export const makeOrExit = (flag: string, folder: string): void => explained(flag, folder, makeFolder);

/** Ends the command when a folder cannot be made or written. Leaves nothing behind. */
export const checkFolder = (flag: string, folder: string): void => explained(flag, folder, tryFolder);

/** Before a command starts: checks the data directory, if it is given or the command needs it. */
export function checkDataDir(command: Command): void {
  const { dataDir, filename } = command.opts<{ dataDir?: unknown; filename?: unknown }>();
  // `up` checks its directory when it takes the lock; `data` only reads it.
  if (typeof dataDir !== 'string' || command.name() === 'up' || command.parent?.name() === 'data') return;
  const isNeeded = command.getOptionValueSource('dataDir') === 'cli' || filename !== undefined;
  if (isNeeded) checkFolder('--data-dir', resolve(dataDir));
}

function tryFolder(folder: string): void {
  tryMakeFolder(folder);
  if (existsSync(folder)) accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function explained(flag: string, folder: string, work: (folder: string) => unknown): void {
  try {
    work(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(
      2,
      `${flag}: the directory ${folder} cannot be used: ${why}; name one that can be made and written`,
    );
  }
}
