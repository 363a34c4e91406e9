import { numberAt, textAt } from '#base/json.ts';
import { formatTime, later, parseTime, seconds, type Instant } from '#base/time.ts';
import { conditionOf } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Counts } from './counts.ts';

export type ProgressGiven = {
  readonly workload: KubeObject;
  readonly updateRevision: string;
  readonly counts: Counts;
  readonly hasMoved: boolean;
  /** No progress is expected: the release is paused or complete. */
  readonly isIdle: boolean;
  readonly deadlineSeconds: number;
  readonly now: Instant;
};

export type ReleaseProgress = {
  readonly lastProgressTime: string;
  readonly isOverdue: boolean;
  readonly wakeAt: Instant | undefined;
};

/** The time of the last progress, and whether the progress deadline is exceeded. */
export function progressOf(given: ProgressGiven): ReleaseProgress {
  const { workload, now, isIdle, deadlineSeconds } = given;
  const before = parseTime(textAt(workload, 'status', 'lastProgressTime') ?? '');
  const last = before === undefined || isCloser(given) || isResumed(given) ? now : before;
  const deadline = later(last, seconds(deadlineSeconds));
  const isOverdue = !isIdle && now >= deadline;
  return {
    lastProgressTime: formatTime(last),
    isOverdue,
    wakeAt: isIdle || isOverdue ? undefined : deadline,
  };
}

/** The deadline starts again after a pause, and after a time in which nothing was decided. */
const isResumed = ({ workload, isIdle }: ProgressGiven): boolean =>
  !isIdle &&
  (['Complete', 'Paused'].includes(textAt(workload, 'status', 'phase') ?? '') ||
    ['WaitingForDeletion', 'FailedUpdate'].includes(progressReason(workload) ?? ''));

/** The reason of the Progressing condition in the status. */
export const progressReason = (workload: KubeObject): string | undefined =>
  textAt(conditionOf(workload, 'Progressing'), 'reason');

function isCloser({ workload, updateRevision, counts, hasMoved }: ProgressGiven): boolean {
  const was = (name: string): number => numberAt(workload, 'status', name) ?? 0;
  return (
    hasMoved ||
    textAt(workload, 'status', 'updateRevision') !== updateRevision ||
    counts.updated > was('updatedReplicas') ||
    counts.updatedReady > was('updatedReadyReplicas') ||
    counts.ready > was('readyReplicas')
  );
}
