import { later, millis, seconds, type Instant } from '#base/time.ts';
import { pauseAfter } from '#machines/decide/plan.ts';
import { tkestackPolicy } from '#machines/decide/presets.ts';
import { advanceSegment, type OperationAdvance } from './advance-segment.ts';
import { notReset } from './not-reset.ts';
import type {
  OperationEffect,
  OperationEvent,
  OperationNote,
  OperationPause,
  SegmentEnd,
} from './operation-events.ts';
import type { OperationRunState } from './operation-state.ts';
import { problemConditions, problemsText } from './problems.ts';
import type { OperationTrouble } from './status.ts';
import { withWayOut } from './way-out.ts';

/** The next state of a run, and what the controller does. */
export function advanceOperation(
  state: OperationRunState,
  event: OperationEvent,
  now: Instant,
): OperationAdvance {
  switch (event.type) {
    case 'started':
      return started(state, now);
    case 'planned':
      return planned({ ...state, plan: event.plan });
    case 'refused':
      return refused(state, event, now);
    case 'claimed':
      return claimed(state);
    case 'saved':
      return saved(state);
    case 'lost':
      return { state, effects: [retry] };
    case 'segment-ended':
      return segmentEnded(state, event.end, now);
    case 'left':
      return { state, effects: [event.isChanged ? atOnce : retry] };
    case 'completed':
      return {
        state: { ...state, stage: { type: 'ended', changes: event.changes, isForced: false } },
        effects: [{ type: 'save' }],
      };
    default:
      return advanceSegment(state, event, now);
  }
}

const stop = (pause: OperationPause): OperationEffect => ({ type: 'stop', pause });
const retry = stop({ type: 'for', span: seconds(1) });
const atOnce = stop({ type: 'for', span: millis(10) });
const until = (at: Instant | undefined): OperationEffect => stop({ type: 'until', at });

const note = (type: OperationNote['type'], reason: string, message: string): OperationEffect => ({
  type: 'note',
  note: { type, reason, message },
});

function started(state: OperationRunState, now: Instant): OperationAdvance {
  const { retryAt } = state;
  if (retryAt !== undefined && !isWaitOver(retryAt, now)) return { state, effects: [until(retryAt)] };
  return { state: { ...state, retryAt: undefined }, effects: [{ type: 'plan' }] };
}

/** No pause is longer: one that seems so was begun by a clock that is ahead, or was ahead then; nobody waits for that. */
const longestPause = tkestackPolicy(undefined).retry.cap;

const isWaitOver = (until: Instant, now: Instant): boolean => until <= now || until - now > longestPause;

function planned(state: OperationRunState): OperationAdvance {
  const { isFresh, isForeign } = state.about;
  if (state.stage.type !== 'starting') return { state: { ...state, trouble: undefined }, effects: [] };
  // The process that worked on it last may still do so: the locks of the machines decide.
  return !isFresh && isForeign ? claimed(state) : { state, effects: claiming(state) };
}

const claiming = ({ about }: OperationRunState): readonly OperationEffect[] => [
  ...(about.isFresh ? [{ type: 'delete-hook-runs' } as const] : []),
  { type: 'claim' },
];

function refused(
  state: OperationRunState,
  { problems, isForced }: Extract<OperationEvent, { type: 'refused' }>,
  now: Instant,
): OperationAdvance {
  const { wanted, isDeletion } = state.about;
  const message = withWayOut(problemsText(problems), isDeletion && !isForced);
  const conditions = problemConditions(problems, wanted.kind);
  const failed = failedWith(state, { reason: 'InvalidSpec', message, conditions, isFailure: true }, now);
  const said = note('Warning', 'InvalidSpec', message);
  if (state.stage.type !== 'starting') return { state: failed, effects: [said] };
  return {
    state: { ...failed, stage: { type: 'refused', isForced } },
    effects: [said, ...claiming(state)],
  };
}

function claimed(state: OperationRunState): OperationAdvance {
  const { about, stage, trouble, retryAt } = state;
  const { wanted, operation, isFresh, isCluster } = about;
  if (stage.type === 'refused') {
    if (!stage.isForced) return { state, effects: [until(retryAt)] };
    const changes = isCluster ? { machines: [] } : { joined: false };
    return {
      state: { ...state, stage: { type: 'ended', changes, isForced: true } },
      effects: [
        note('Warning', 'Forced', `The object is removed without its hooks: ${trouble?.message ?? ''}`),
        { type: 'save' },
      ],
    };
  }
  const remains = isCluster && isFresh ? notReset(wanted) : undefined;
  const { state: next, effects } = workOn(state, 0);
  return {
    state: next,
    effects: [
      ...(isFresh ? [note('Normal', 'Started', `${wanted.kind} ${operation.id} has started.`)] : []),
      ...(remains === undefined ? [] : [note('Warning', 'NotReset', remains)]),
      ...effects,
    ],
  };
}

function workOn(state: OperationRunState, index: number): OperationAdvance {
  const { plan } = state;
  const segment = plan?.planned.segments[index];
  const effects = (): readonly OperationEffect[] => {
    if (segment?.type === 'gates') return [{ type: 'run-gates', gates: segment.gates }];
    if (segment?.type === 'stages') return [{ type: 'run-stages', index }];
    return [plan === undefined ? until(undefined) : { type: 'complete', plan }];
  };
  return { state: { ...state, stage: { type: 'working', index } }, effects: effects() };
}

function saved(state: OperationRunState): OperationAdvance {
  const { stage, about } = state;
  if (stage.type === 'waiting') return { state, effects: [until(stage.until)] };
  if (stage.type === 'ended' && stage.isForced) return { state, effects: [atOnce] };
  const message = `${about.wanted.kind} ${about.operation.id} is complete.`;
  return { state, effects: [note('Normal', 'Completed', message), atOnce] };
}

function segmentEnded(state: OperationRunState, end: SegmentEnd, now: Instant): OperationAdvance {
  switch (end.type) {
    case 'passed':
      return passed(state);
    case 'left':
      return {
        state: { ...state, stage: { type: 'waiting', until: undefined } },
        effects: [{ type: 'leave' }],
      };
    case 'elsewhere':
      return { state: { ...state, stage: { type: 'elsewhere' } }, effects: [until(end.at)] };
    case 'later': {
      const { trouble, isFailure } = end;
      const isFailed = isFailure === true && trouble !== undefined;
      const next = isFailed ? failedWith(state, trouble, now) : { ...state, trouble };
      const retryAt = end.at ?? next.retryAt;
      const stage = { type: 'waiting', until: retryAt ?? end.wakeAt } as const;
      return { state: { ...next, retryAt, stage }, effects: [{ type: 'save' }] };
    }
  }
}

function passed(state: OperationRunState): OperationAdvance {
  const { stage, plan } = state;
  const index = stage.type === 'working' ? stage.index : 0;
  const isGates = plan?.planned.segments[index]?.type === 'gates';
  const pauses = isGates ? undefined : state.pauses;
  return workOn({ ...state, pauses, trouble: undefined, failures: 0 }, index + 1);
}

function failedWith(state: OperationRunState, trouble: OperationTrouble, now: Instant): OperationRunState {
  const failures = state.failures + 1;
  return {
    ...state,
    trouble,
    failures,
    retryAt: later(now, pauseAfter(tkestackPolicy(undefined), failures)),
  };
}
