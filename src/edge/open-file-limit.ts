import { readFileSync } from 'node:fs';

/** The default where the limit cannot be read, as on macOS: far below the real limit. */
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
