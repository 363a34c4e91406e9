import { accessSync, constants, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from './make-folder.ts';
import { writeFileAtomically } from './write-file.ts';
import { processStart } from './process-life.ts';

/** The data directory, held by this process until `close`. */
export type DataDir = { readonly path: string; close(): void };

/** Another living process holds the data directory. */
export class DataDirHeld extends Error {
  readonly path: string;
  /** Undefined in the short moment before the holder has written its name. */
  readonly pid: number | undefined;
  constructor(path: string, pid: number | undefined) {
    const who = pid === undefined ? 'another process' : `process ${pid}`;
    super(`The data directory ${path} is in use by ${who}: stop it first, or choose another directory.`);
    this.name = 'DataDirHeld';
    this.path = path;
    this.pid = pid;
  }
}

/** The data directory cannot be created or written. */
export class DataDirUnwritable extends Error {
  readonly path: string;
  constructor(path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The data directory ${path} cannot be used: ${why}.`, { cause });
    this.name = 'DataDirUnwritable';
    this.path = path;
  }
}

/**
 * Creates the directory (for its owner only) and takes its lock.
 *
 * The lock is one that the kernel holds for us on the file `lock`, taken through SQLite because Node has no
 * call for it: it vanishes with the process however that dies, so there are no stale locks to judge and no
 * race between two starters. `lock-holder.json` only says who to blame. Nothing else in this process may open
 * `lock`: closing any descriptor of it would drop the lock.
 */
export function openDataDir(path: string): DataDir {
  try {
    makeFolder(lockFolder(path));
    for (const folder of [path, lockFolder(path)])
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const lock = takeLock(path);
    const holder = join(lockFolder(path), 'lock-holder.json');
    writeFileAtomically(
      holder,
      `${JSON.stringify({ pid: process.pid, started: processStart(process.pid) })}\n`,
      0o600,
    );
    return {
      path,
      close() {
        if (!lock.isOpen) return;
        rmSync(holder, { force: true });
        held.delete(lock);
        lock.close();
      },
    };
  } catch (error) {
    if (error instanceof DataDirHeld) throw error;
    throw new DataDirUnwritable(path, error);
  }
}

/** Beside the keys, where only programs look; the empty file stays, since removing a held lock would race. */
const lockFolder = (path: string): string => join(path, 'pki');

const busy = 5;

/** A lock without a reference would be garbage collected, and closed with that. */
const held = new Set<DatabaseSync>();

function takeLock(path: string): DatabaseSync {
  const lock = new DatabaseSync(join(lockFolder(path), 'lock'), { timeout: 0 });
  try {
    // IMMEDIATE, not EXCLUSIVE: of two that race for the latter both may fail.
    lock.exec('BEGIN IMMEDIATE');
    held.add(lock);
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && Number(error.errcode) === busy) {
      throw new DataDirHeld(path, holderOf(path));
    }
    throw error;
  }
}

/** A pid that another process has by now is not printed. */
function holderOf(path: string): number | undefined {
  try {
    const { pid, started } = JSON.parse(
      readFileSync(join(lockFolder(path), 'lock-holder.json'), 'utf8'),
    ) as Record<string, unknown>;
    return typeof pid === 'number' && processStart(pid) === started ? pid : undefined;
  } catch {
    return undefined;
  }
}
