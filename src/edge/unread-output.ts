import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/**
 * Whether an output is a pipe without a reader. A write would show it too, but a command that follows something may
 * have nothing to write for a long time. On Linux such a pipe cannot be opened for writing.
 */
export function isUnread(fd: number): boolean {
  if (!fstatSync(fd).isFIFO()) return false;
  try {
    closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENXIO';
  }
}
