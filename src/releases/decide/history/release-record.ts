import type { RecordedAct, RecordedVerdict, ReleaseRecord } from '#releases/kinds/release-history.ts';
import { shorten } from '#base/text.ts';
import { formatTime, instant, parseTime, type Instant } from '#base/time.ts';
import type { PauseCondition } from '#releases/decide/steps/pause.ts';

const mostVerdicts = 20;
const mostActs = 10;
const longestMessage = 500;

type Ending = Required<Pick<ReleaseRecord, 'outcome' | 'cause' | 'message'>>;

/** The record of a release that ends now. */
export function closed(record: ReleaseRecord, ending: Ending, now: Instant): ReleaseRecord {
  return {
    ...withPause(record, [], now),
    ...ending,
    message: shorten(ending.message, longestMessage),
    endTime: formatTime(now),
  };
}

export const withActs = (record: ReleaseRecord, acts: readonly RecordedAct[]): ReleaseRecord =>
  acts.length === 0 ? record : { ...record, acts: [...(record.acts ?? []), ...acts].slice(-mostActs) };

/** One verdict for each HookRun. */
export function withVerdict(record: ReleaseRecord, verdict: RecordedVerdict | undefined): ReleaseRecord {
  if (verdict === undefined) return record;
  const others = (record.verdicts ?? []).filter(({ hookRun }) => hookRun !== verdict.hookRun);
  return { ...record, verdicts: [...others, verdict].slice(-mostVerdicts) };
}

/** Adds the time of a pause when it has ended. */
export function withPause(
  record: ReleaseRecord,
  pauses: readonly PauseCondition[],
  now: Instant,
): ReleaseRecord {
  const since = parseTime(record.pausedSince ?? '');
  if (pauses.length > 0) {
    const start = parseTime(pauses[0]?.startTime ?? '') ?? now;
    return since === undefined ? { ...record, pausedSince: formatTime(start) } : record;
  }
  if (since === undefined) return record;
  const { pausedSince: _over, ...rest } = record;
  const span = Math.max(0, Math.round((wholeSecond(now) - since) / 1000));
  return { ...rest, pausedSeconds: (record.pausedSeconds ?? 0) + span };
}

/** Times in a status are whole seconds. */
const wholeSecond = (at: Instant): Instant => instant(Math.floor(at / 1000) * 1000);
