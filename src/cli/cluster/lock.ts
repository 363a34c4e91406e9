import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { textAt, numberAt, type Json } from '#base/json.ts';

/** Who works on a cluster. */
export type Holder = {
  readonly pid: number;
  /** The kernel's start time of the process: a pid alone may be somebody else's by now. */
  readonly started: string;
  readonly boot: string;
  readonly host: string;
  readonly since: string;
  readonly what: string;
};

export type Lock =
  | { readonly type: 'taken'; readonly leftBy: Holder | undefined; release(): void }
  | { readonly type: 'held'; readonly holder: Holder };

/** One operator per cluster and data directory. The lock of a process that is gone is taken over. */
export function takeLock(folder: string, what: string, since: string): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'lock');
  const own: Holder = {
    pid: process.pid,
    started: startOf(process.pid),
    boot: bootId(),
    host: hostname(),
    since,
    what,
  };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    let leftBy: Holder | undefined;
    for (;;) {
      if (tryLink(draft, path))
        return { type: 'taken', leftBy, release: () => rmSync(path, { force: true }) };
      const holder = holderOf(path);
      if (holder !== undefined && isAlive(holder)) return { type: 'held', holder };
      // Gone meanwhile, or of a process that is gone, or emptied by a power cut: nobody's in any case.
      leftBy = holder ?? leftBy;
      const hasty = moveAway(path, `${path}.stale.${process.pid}`);
      if (hasty !== undefined) return { type: 'held', holder: hasty };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function holderOf(path: string): Holder | undefined {
  try {
    const json = JSON.parse(readFileSync(path, 'utf8')) as Json;
    const text = (key: string): string => textAt(json, key) ?? '?';
    return {
      pid: numberAt(json, 'pid') ?? 0,
      started: text('started'),
      boot: text('boot'),
      host: text('host'),
      since: text('since'),
      what: text('what'),
    };
  } catch {
    return undefined;
  }
}

export const lockHolder = (folder: string): Holder | undefined => {
  const holder = holderOf(join(folder, 'lock'));
  return holder !== undefined && isAlive(holder) ? holder : undefined;
};

export const holderText = ({ pid, host, since, what }: Holder): string =>
  `process ${pid} on ${host} since ${since} (${what})`;

/** Another boot of this machine, or another process under that number: gone. */
const isAlive = ({ pid, started, boot }: Holder): boolean =>
  boot === bootId() && started !== '' && startOf(pid) === started;

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Of two that find it stale the slower one may move away what the faster one has just put there: it goes back. */
function moveAway(from: string, to: string): Holder | undefined {
  try {
    renameSync(from, to);
    const moved = holderOf(to);
    if (moved === undefined || !isAlive(moved)) return undefined;
    tryLink(to, from);
    return moved;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(to, { force: true });
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** In the kernel's ticks since boot; empty for a process that is not there. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
