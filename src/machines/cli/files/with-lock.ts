import { join } from 'node:path';
import { formatTime } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { systemClock } from '#edge/clock.ts';
import { holderText, lockHolder, takeLock, type ClusterLock } from './lock.ts';
import type { OperationRequest, RunOptions } from './options.ts';

/** Runs the work under the lock of the cluster. A second process ends with exit code 3. */
export async function withLock(
  folder: string,
  { verb }: OperationRequest,
  { dataDir }: RunOptions,
  work: () => Promise<number>,
): Promise<number> {
  const lock = takeLock(folder, `boathook cluster ${verb}`, formatTime(systemClock.now()));
  if (lock.type === 'held') throw busy(lock.holder, dataDir);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Ends the command while another process works on the cluster: its state is incomplete. */
export function refuseBusy(folder: string, { dataDir }: RunOptions): void {
  const holder = lockHolder(folder);
  if (holder !== undefined) throw busy(holder, dataDir);
}

const busy = (holder: Extract<ClusterLock, { type: 'held' }>['holder'], dataDir: string): ExitError =>
  new ExitError(
    3,
    `The cluster is in use by ${holderText(holder)}: wait for it, or stop it (${join(dataDir, 'machines')})`,
  );
