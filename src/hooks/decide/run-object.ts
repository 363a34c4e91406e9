import type { HookRunStatus } from '#hooks/kinds/hook-run.ts';
import { parseDuration } from '#base/duration.ts';
import { textAt } from '#base/json.ts';
import { later, parseTime, type Instant } from '#base/time.ts';
import { specOf, statusOf } from '#hooks/read.ts';
import { isFinal } from './run.ts';
import { withoutManagedFields, type KubeObject } from '#kube/object.ts';

export const withStatus = (run: KubeObject, status: HookRunStatus): KubeObject => ({
  ...run,
  status,
});

export const isFinished = (run: KubeObject): boolean => isFinal(statusOf(run).phase);

/** When a finished run is deleted; undefined if never. */
export function expiryOf(run: KubeObject): Instant | undefined {
  const ttl = parseDuration(textAt(run, 'spec', 'ttlAfterFinished') ?? '');
  const finished = parseTime(textAt(run, 'status', 'finishedAt') ?? '');
  return ttl === undefined || finished === undefined ? undefined : later(finished, ttl);
}

/** Decodes HookRuns for informers. Finished runs keep only their verdict, because there are thousands of them. */
export const leanRun = {
  name: 'hook-run',
  of(run: KubeObject): KubeObject {
    const lean = withoutManagedFields(run);
    if (!isFinished(run)) return lean;
    const { phase, finishedAt, message } = statusOf(run);
    const { ttlAfterFinished } = specOf(run);
    return {
      ...lean,
      spec: ttlAfterFinished === undefined ? {} : { ttlAfterFinished },
      status: {
        phase: phase ?? '',
        ...(finishedAt === undefined ? {} : { finishedAt }),
        ...(message === undefined ? {} : { message }),
      },
    };
  },
};
