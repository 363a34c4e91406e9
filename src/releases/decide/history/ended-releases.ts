import { listAt, type JsonObject } from '#base/json.ts';
import { parseTime } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ReleaseRecord } from '#releases/kinds/release-history.ts';
import { readHistory } from '#releases/model/read.ts';

/** How a release ended, and how long it took. */
export type EndedRelease = {
  readonly revision: string;
  readonly outcome: ReleaseRecord['outcome'];
  readonly cause: string;
  /** From its start to its end. */
  readonly seconds: number;
  /** The part of it in which it was paused. */
  readonly pausedSeconds: number;
};

/** The releases that are under way in the status of the workload, or not in it, and have ended in the new status. */
export function endedReleases(workload: KubeObject, status: JsonObject): readonly EndedRelease[] {
  if (listAt(status, 'history').length === 0) return [];
  const before = new Set(readHistory(workload).filter(isEnded).map(identityOf));
  return readHistory({ status })
    .filter((record) => isEnded(record) && !before.has(identityOf(record)))
    .map(endedRelease);
}

const isEnded = ({ outcome }: ReleaseRecord): boolean => outcome !== 'Progressing';

/** A revision that is aborted and tried again has two records. */
const identityOf = ({ revision, startTime = '' }: ReleaseRecord): string => `${revision} ${startTime}`;

function endedRelease({
  revision,
  outcome,
  cause = 'Unknown',
  startTime = '',
  endTime = '',
  pausedSeconds = 0,
}: ReleaseRecord): EndedRelease {
  const [start, end] = [parseTime(startTime), parseTime(endTime)];
  const seconds = start === undefined || end === undefined ? 0 : Math.max(0, (end - start) / 1000);
  return { revision, outcome, cause, seconds, pausedSeconds: Math.min(pausedSeconds, seconds) };
}
