import { listAt, textAt } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { releaseSummaryOf, type ReleaseSummary } from './release-summary.ts';
import { releaseVerdict, type ReleaseVerdict } from './release-verdict.ts';
import { revisionBranches, type RevisionBranch } from './revision-branch.ts';
import { stepTrack, type StepView } from './step-track.ts';

/** A release as commands and pages show it: plain data without layout. */
export type ReleaseView = ReleaseSummary & {
  /** The time that it shows: RFC 3339. */
  readonly time: string;
  readonly verdict: ReleaseVerdict['type'];
  /** Update type of the strategy. */
  readonly strategy: string;
  readonly pauses: readonly { readonly reason: string; readonly startTime?: string }[];
  readonly steps: readonly StepView[];
  readonly revisions: readonly RevisionBranch[];
};

/** What the view is made of: a part of the snapshot, so that it needs neither nodes nor budgets. */
export type ViewSnapshot = Pick<
  WorkloadSnapshot,
  'workload' | 'updateRevision' | 'revisions' | 'pods' | 'runs' | 'now'
>;

export function releaseViewOf(snapshot: ViewSnapshot): ReleaseView {
  const { workload, runs, now } = snapshot;
  return {
    ...releaseSummaryOf(workload),
    time: formatTime(now),
    verdict: releaseVerdict(workload).type,
    strategy: textAt(workload, 'spec', 'updateStrategy', 'type') ?? 'RollingUpdate',
    pauses: listAt(workload, 'status', 'pauseConditions').map((each) => {
      const startTime = textAt(each, 'startTime');
      const reason = textAt(each, 'reason') ?? '';
      return startTime === undefined ? { reason } : { reason, startTime };
    }),
    steps: stepTrack(workload, runs),
    revisions: revisionBranches(snapshot),
  };
}
