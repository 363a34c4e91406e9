import type { RecordedAct, RecordedVerdict, ReleaseRecord } from '#releases/kinds/release-history.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { FieldWriter } from '#releases/decide/acts/field-writer.ts';
import type { PauseCondition } from '#releases/decide/steps/pause.ts';
import { actVerbs } from '#releases/model/act.ts';
import { closed, withActs, withPause, withVerdict } from './release-record.ts';

export type HistoryGiven = {
  /** `status.history`: the newest first. */
  readonly history: readonly ReleaseRecord[];
  readonly revision: string;
  /** Undefined for a workload without steps. */
  readonly releaseId: string | undefined;
  readonly images: readonly string[];
  /** Who wrote the template; undefined where it is not known. */
  readonly writer: FieldWriter | undefined;
  /** The revision that a rollback returns to; undefined for a workload without steps. */
  readonly stableRevision: string | undefined;
  /** An aborted release starts again. */
  readonly isRestart: boolean;
  readonly aborted: { readonly cause: string; readonly message: string } | undefined;
  readonly isComplete: boolean;
  /** The message of the status. */
  readonly message: string;
  readonly pauses: readonly PauseCondition[];
  readonly verdict: RecordedVerdict | undefined;
  /** What users did, as it was decided now. */
  readonly acts: readonly RecordedAct[];
  readonly now: Instant;
};

const mostRecords = 10;

/** The last releases: those in the status, changed by what is decided now. */
export function nextHistory(given: HistoryGiven): readonly ReleaseRecord[] {
  const { history, revision, isRestart, acts } = given;
  const [head, ...others] = history;
  if (head?.revision === revision && !isRestart)
    return [ended(given, withActs(current(given, head), acts)), ...others];
  // A request that comes with a new template was meant for the release before it.
  const isOfBefore = (act: RecordedAct): boolean => head !== undefined && !isRestart && isRequest(act);
  const before = head === undefined ? [] : [replaced(given, withActs(head, acts.filter(isOfBefore)))];
  const record = withActs(
    current(given, begun(given)),
    acts.filter((act) => !isOfBefore(act)),
  );
  return [ended(given, record), ...before, ...others].slice(0, mostRecords);
}

const isRequest = ({ verb }: RecordedAct): boolean =>
  verb === undefined || actVerbs.some((each) => each === verb);

const begun = ({ revision, images, writer, now }: HistoryGiven): ReleaseRecord => ({
  revision,
  ...(images.length === 0 ? {} : { images }),
  startTime: formatTime(now),
  ...(writer === undefined ? {} : { startedBy: writer.manager }),
  outcome: 'Progressing',
});

/** A release under way, with its verdicts and its pauses. A release that has ended stays as it is. */
function current(given: HistoryGiven, record: ReleaseRecord): ReleaseRecord {
  if (record.outcome !== 'Progressing') return record;
  const { releaseId, verdict, pauses, now } = given;
  const named = releaseId === undefined ? record : { ...record, releaseID: releaseId };
  return withPause(withVerdict(named, verdict), pauses, now);
}

/** A new template ends the release before it. */
function replaced(given: HistoryGiven, record: ReleaseRecord): ReleaseRecord {
  if (record.outcome !== 'Progressing') return record;
  const { revision, writer, acts, now } = given;
  const by = writer === undefined ? '' : ` by ${writer.manager}`;
  if (stableBefore(given) !== revision) {
    const message = `The template was changed${by}: revision ${revision} replaced it.`;
    return closed(record, { outcome: 'Replaced', cause: 'NewTemplate', message }, now);
  }
  const message = `The template was set back to revision ${revision}${by}.`;
  const undo: RecordedAct = acts.find(({ verb }) => verb === 'undo') ?? {
    verb: 'undo',
    ...(writer === undefined ? {} : { manager: writer.manager }),
    time: writer?.time ?? formatTime(now),
    result: 'Done',
    message,
  };
  return closed(withActs(record, [undo]), { outcome: 'RolledBack', cause: 'TemplateSetBack', message }, now);
}

/** Without steps it is the last revision that all pods had. */
const stableBefore = ({ stableRevision, history }: HistoryGiven): string | undefined =>
  stableRevision ?? history.find(({ outcome }) => outcome === 'Complete')?.revision;

function ended(given: HistoryGiven, record: ReleaseRecord): ReleaseRecord {
  const { aborted, isComplete, message, now } = given;
  if (record.outcome !== 'Progressing') return record;
  if (aborted !== undefined) return closed(record, { outcome: 'Aborted', ...aborted }, now);
  return isComplete ? closed(record, { outcome: 'Complete', cause: 'AllPodsUpdated', message }, now) : record;
}
