import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { ExitError } from '#command/exit.ts';
import { makeOrExit } from '#command/usable-folder.ts';

export type CopyFlags = { readonly dataDir: string; readonly to: string; readonly output?: string };

export const journalIn = (dataDir: string): string => join(dataDir, 'objects.db');

/** The journal of a data directory that has one. */
export function journalOrExit(dataDir: string): string {
  const path = journalIn(resolve(dataDir));
  if (existsSync(path)) return path;
  throw new ExitError(2, `--data-dir ${dataDir} holds no objects: there is no file ${path}`);
}

/** Makes a new folder and runs `work` with its path; the folder is removed again when `work` fails. */
export function inNewFolder<T>({ dataDir, to }: CopyFlags, work: (folder: string) => T): T {
  const folder = resolve(to);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new ExitError(2, `--to ${to} exists already: choose a new directory`);
  if (!relative(resolve(dataDir), folder).startsWith('..'))
    throw new ExitError(2, `--to ${to} lies in the data directory itself: choose a directory outside of it`);
  makeOrExit('--to', folder);
  try {
    return work(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Everything but the journal and the lock: certificates, keys, the kubeconfig, records of operations. */
export function copyTheRest(dataDir: string, folder: string): void {
  const isOurs = (path: string): boolean => {
    const name = basename(path);
    return !name.startsWith('objects.db') && !name.startsWith('lock') && !name.endsWith('.tmp');
  };
  cpSync(resolve(dataDir), folder, { recursive: true, filter: isOurs, preserveTimestamps: true });
}
