import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatTime, type Clock } from '#base/time.ts';

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

type Written = LockHolder & { readonly started: string | null; readonly boot: string | null };

/**
 * One operator per cluster on this machine: a file that only one can create, with pid, start time and boot id. A
 * holder that is no longer that very process has left it behind (`left`), and the lock is taken over.
 */
export function takeOperationLock(
  path: string,
  about: { readonly host: string; readonly what: string },
  clock: Clock,
): OperationLock {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mine: Written = {
    pid: process.pid,
    ...about,
    since: formatTime(clock.now()),
    started: startOf(process.pid),
    boot: bootId(),
  };
  const text = `${JSON.stringify(mine)}\n`;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  let left: LockHolder | undefined;
  try {
    while (!linked(draft, path)) {
      const found = readText(path);
      if (found === undefined) continue;
      const holder = parsed(found);
      if (holder !== undefined && isAlive(holder)) return { type: 'held', holder };
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
  } catch {
    // Somebody was faster.
    return false;
  }
  const wasDead = readText(aside) === dead;
  if (!wasDead) linked(aside, path);
  rmSync(aside, { force: true });
  return wasDead;
}

const isAlive = ({ pid, started, boot }: Written): boolean => boot === bootId() && startOf(pid) === started;

function parsed(text: string): Written | undefined {
  try {
    return JSON.parse(text) as Written;
  } catch {
    // Written by no operator of ours.
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Gone meanwhile.
    return undefined;
  }
}

const bootId = (): string | null => readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

/** When a process started, in the kernel's ticks since boot. */
function startOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
