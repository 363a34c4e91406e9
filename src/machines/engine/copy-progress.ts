import { millis } from '#base/time.ts';
import type { Desk } from './desk.ts';

/** Less than this is there before anybody could read of it. */
const worthTelling = 1024 * 1024;
const pause = millis(500);

/** Reports bytes on their way to a node, not more often than people read. */
export function copyProgress(
  { doors: { clock }, tell }: Desk,
  step: string,
  node: string,
): (bytes: number, total: number) => void {
  let last = -Infinity;
  return (bytes, total) => {
    const now = clock.now();
    if (total < worthTelling || (bytes < total && now - last < pause)) return;
    last = now;
    tell({ type: 'copy', step, node, bytes, total });
  };
}
