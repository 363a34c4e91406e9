import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { numberAt, textAt, type Json } from '#base/json.ts';
import { bootId, processStart } from './process-life.ts';
import { makeFolder } from './make-folder.ts';

/** Who works on a cluster from this machine. */
export type LockHolder = {
  readonly pid: number;
  readonly host: string;
  /** RFC 3339. */
  readonly since: string;
  /** What it does: `cluster.create`. */
  readonly what: string;
};

export type OperationLock =
  | { readonly type: 'taken'; readonly left: LockHolder | undefined; release(): void }
  | { readonly type: 'held'; readonly holder: LockHolder };

/** A pid alone may belong to another process by now. */
type Written = LockHolder & { readonly started: string; readonly boot: string };

/**
 * One operator per cluster on this machine: a file that only one can create, with pid, start time and boot id. A
 * holder that is no longer that very process has left it behind (`left`), and the lock is taken over.
 */
export function takeOperationLock(path: string, about: Omit<LockHolder, 'pid'>): OperationLock {
  makeFolder(dirname(path));
  const { pid } = process;
  const mine: Written = { pid, started: processStart(pid), boot: bootId(), ...about };
  const text = `${JSON.stringify(mine)}\n`;
  const draft = `${path}.${pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  let left: LockHolder | undefined;
  try {
    while (!linked(draft, path)) {
      const found = readText(path);
      if (found === undefined) continue;
      const holder = parsed(found);
      if (holder !== undefined && isAlive(holder)) return { type: 'held', holder };
      // The process has ended, or a power cut emptied the file: the lock is free.
      if (setAside(path, found)) left = holder;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    type: 'taken',
    left,
    release: () => {
      if (readText(path) === text) rmSync(path, { force: true });
    },
  };
}

/** The holder of a lock, if there is one. */
export function operationLockHolder(path: string): LockHolder | undefined {
  const holder = parsed(readText(path) ?? '');
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Of two that find the same dead lock one might take away the other's new one: that is noticed and put back. */
function setAside(path: string, dead: string): boolean {
  const aside = `${path}.${process.pid}.dead`;
  try {
    renameSync(path, aside);
  } catch (error) {
    // Somebody was faster.
    if (isMissing(error)) return false;
    throw error;
  }
  const wasDead = readText(aside) === dead;
  if (!wasDead) linked(aside, path);
  rmSync(aside, { force: true });
  return wasDead;
}

/** Another boot of this machine, or another process with that pid: the holder has ended. */
const isAlive = ({ pid, started, boot }: Written): boolean =>
  boot === bootId() && started !== '' && processStart(pid) === started;

function parsed(text: string): Written | undefined {
  try {
    const json = JSON.parse(text) as Json;
    const textOf = (key: string): string => textAt(json, key) ?? '?';
    return {
      pid: numberAt(json, 'pid') ?? 0,
      started: textOf('started'),
      boot: textOf('boot'),
      host: textOf('host'),
      since: textOf('since'),
      what: textOf('what'),
    };
  } catch {
    // Written by no operator of ours.
    return undefined;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
