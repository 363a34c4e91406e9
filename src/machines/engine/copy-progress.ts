import { millis } from '#base/time.ts';
import type { OperationLog } from './operation-log.ts';

/** Smaller copies end before a user could read their progress. */
const leastReported = 1024 * 1024;
const pause = millis(500);

/** Reports how many bytes were copied to a node, at most twice a second. */
export function copyProgress(
  { io: { clock }, emit }: OperationLog,
  step: string,
  node: string,
): (bytes: number, total: number) => void {
  let last = -Infinity;
  return (bytes, total) => {
    const now = clock.now();
    if (total < leastReported || (bytes < total && now - last < pause)) return;
    last = now;
    emit({ type: 'copy', step, node, bytes, total });
  };
}
