import type { HookRunStatus } from '#hooks/kinds/hook-run.ts';
import { instant, millis, type Instant } from '#base/time.ts';
import { nameOf, namespaceOf } from '#kube/object.ts';
import { refuseRun } from './close-run.ts';
import { isFinal, type DueCall, type FinishedCall } from './run.ts';
import type { HookRunSnapshot } from './snapshot.ts';
import { problemOfRun } from './validate-run.ts';
import { absorb, beginRun, dueCalls, nextWake } from './verdict.ts';

/** How a run began, until that is written. */
export type Begun = { readonly status: HookRunStatus; readonly at: Instant };

/** What happened to a run since its status was last written. */
export type Unwritten = {
  readonly begun: Begun | undefined;
  readonly results: readonly FinishedCall[];
  /** The metrics whose call is in progress. */
  readonly inFlight: ReadonlySet<string>;
  /** Whether the spec of this generation was checked. */
  readonly isChecked: boolean;
  readonly isWriting: boolean;
  /** Whether the last write failed. Then no calls start: their results could not be written. */
  readonly isFailing: boolean;
};

type Decided = {
  readonly status: HookRunStatus;
  readonly begun: Begun | undefined;
  readonly isChecked: boolean;
};

export type RunDecision =
  /** Nothing is left to do: calls in progress are cancelled. */
  | { readonly type: 'over' }
  /** The run has a verdict, which is to be written. */
  | (Decided & { readonly type: 'finished' })
  | (Decided & {
      readonly type: 'running';
      readonly calls: readonly DueCall[];
      readonly mustWrite: boolean;
      readonly wakeAt: Instant | undefined;
    });

/** A run whose first answer takes longer is written as Running before it; otherwise one write contains both. */
const patience = millis(500);

/** The next calls of a run, its status, and when to decide again. */
export function decideRun(run: HookRunSnapshot, unwritten: Unwritten, now: Instant): RunDecision {
  if (run.isOver) return { type: 'over' };
  const decided = judge(run, unwritten, now);
  const { status, begun } = decided;
  if (isFinal(status.phase)) return { ...decided, type: 'finished' };
  const judged = { spec: run.spec, status };
  const calls = unwritten.isFailing ? [] : dueCalls(judged, now, unwritten.inFlight);
  const inFlight = new Set([...unwritten.inFlight, ...calls.map(({ metric }) => metric.name)]);
  const isLate = begun !== undefined && (inFlight.size === 0 || now - begun.at >= patience);
  const mustWrite = unwritten.results.length > 0 || isLate;
  const isWriting = unwritten.isWriting || mustWrite;
  const times = [
    nextWake(judged, inFlight),
    begun === undefined || isWriting ? undefined : begun.at + patience,
  ].filter((time) => time !== undefined);
  const wakeAt = times.length === 0 ? undefined : instant(Math.min(...times));
  return { ...decided, type: 'running', calls, mustWrite, wakeAt };
}

/** The status with everything that happened, written or not. */
function judge(
  { object, spec, status: written }: HookRunSnapshot,
  unwritten: Unwritten,
  now: Instant,
): Decided {
  const { results, isChecked } = unwritten;
  const problem = isChecked ? undefined : problemOfRun(spec);
  if (problem !== undefined) {
    const status = refuseRun(`HookRun ${namespaceOf(object)}/${nameOf(object)}: ${problem}`, now, written);
    return { status, begun: unwritten.begun, isChecked };
  }
  const begun =
    written.startedAt === undefined
      ? (unwritten.begun ?? { status: beginRun(spec, now), at: now })
      : undefined;
  const before = begun?.status ?? written;
  // An edit of the spec can decide a metric that was open: a smaller count, a lower limit.
  const isEdited = !isChecked && begun === undefined;
  const isUnjudged = isEdited || results.length > 0 || spec.terminate === true;
  const status = isUnjudged ? absorb({ spec, status: before }, results, now) : before;
  // A verdict that could not be written is decided again.
  return { status, begun, isChecked: !isFinal(status.phase) };
}
