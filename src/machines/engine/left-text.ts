import { formatTime } from '#base/time.ts';
import type { LeftJob } from '#edge/ssh/left-job.ts';

/** What another operation left running on a node, and how to end it. */
export const leftText = (node: string, { step, operation, cluster, pid, since }: LeftJob): string =>
  `${node} still runs ${step} of operation ${operation} of cluster ${cluster}, process ${pid} since ` +
  `${formatTime(since)}, which no operator follows any more: wait for its end, resume the operation where it was ` +
  `started (boathook cluster resume), or stop the script on that machine: kill -s TERM ${pid}`;
