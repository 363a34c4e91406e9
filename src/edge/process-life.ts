import { readFileSync } from 'node:fs';

/** The boot id of this machine; empty where it is not available. */
export const bootId = (): string => readOrNothing('/proc/sys/kernel/random/boot_id').trim();

/**
 * When a process started, in the kernel's ticks since boot; empty for one that is not there. A zombie is not there:
 * it has ended, and only its parent has not read its exit code yet.
 */
export function processStart(pid: number): string {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The name in brackets may hold anything, blanks as well.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ended.has(fields[0] ?? '') ? '' : (fields[19] ?? '');
}

/** States of a process that has ended. */
const ended: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
