import { readFileSync } from 'node:fs';

/** Where the system does not tell, as on macOS: far below what a process gets there. */
const assumed = 4096;

/** How many files and connections this process may have open at once. */
export function openFileLimit(): number {
  try {
    return limitIn(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return assumed;
  }
}

/** The soft limit in the text of `/proc/PID/limits`. */
export function limitIn(limits: string): number {
  const [, soft = ''] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) || assumed;
}
