import { hostname } from 'node:os';
import type { NodeOwner } from './nodes/node/node-owner.ts';

/** The identity of this process among those that simulate nodes: `HOST/PID/START`. */
export function thisProcess(): NodeOwner {
  const began = Math.round(performance.timeOrigin);
  return { id: `${hostname()}/${process.pid}/${began}`, isGone };
}

/** Known only for processes of this machine; a process with our number can only be an earlier one. */
function isGone(id: string): boolean {
  const [host, pid] = id.split('/');
  if (host !== hostname() || !/^[1-9]\d*$/.test(pid ?? '')) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
