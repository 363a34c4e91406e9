import { hostname } from 'node:os';
import { join } from 'node:path';
import { operationLockHolder, takeOperationLock, type LockHolder } from '#edge/operation-lock.ts';

export type ClusterLock =
  | { readonly type: 'taken'; readonly leftBy: LockHolder | undefined; release(): void }
  | { readonly type: 'held'; readonly holder: LockHolder };

/** One operator per cluster and data directory. The lock of a process that has ended is taken over. */
export function takeLock(folder: string, what: string, since: string): ClusterLock {
  const lock = takeOperationLock(lockIn(folder), { host: hostname(), since, what });
  return lock.type === 'held' ? lock : { type: 'taken', leftBy: lock.left, release: () => lock.release() };
}

export const lockHolder = (folder: string): LockHolder | undefined => operationLockHolder(lockIn(folder));

export const holderText = ({ pid, host, since, what }: LockHolder): string =>
  `process ${pid} on ${host} since ${since} (${what})`;

const lockIn = (folder: string): string => join(folder, 'lock');
