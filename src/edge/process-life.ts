import { readFileSync } from 'node:fs';

/** Which boot of this machine it is; empty where nobody can say. */
export const bootId = (): string => readOrNothing('/proc/sys/kernel/random/boot_id').trim();

/** When a process started, in the kernel's ticks since boot; empty for one that is not there. */
export function processStart(pid: number): string {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The name in brackets may hold anything, blanks as well.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
