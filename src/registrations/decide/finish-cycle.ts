import { backOff } from '#base/back-off.ts';
import { formatDuration } from '#base/duration.ts';
import { millis, minutes, seconds, type Millis } from '#base/time.ts';
import { shortened } from '#hooks/decide/shortened.ts';
import {
  failuresOf,
  generationOf,
  type InstanceSnapshot,
  type Finish,
  type InstanceEvent,
  type InstanceMemory,
  type HookStability,
} from './cycle.ts';
import { instanceStatus, type ReconcileProblem } from './instance-status.ts';
import { controlledChildren } from './live-children.ts';
import type { HookFault } from './judge-answer.ts';
import { eventsOf, hasPhase, problemOf, type PhaseReply } from './phase-reply.ts';

/** When a failed reconciliation is retried; `never`: when something changes, and at the next resync. */
export type RetryPace = 'soon' | 'seldom' | 'never';

export type FinishInput = {
  readonly snapshot: InstanceSnapshot;
  readonly phaseReplies: readonly PhaseReply[];
  readonly values?: ReadonlyMap<string, string>;
  /** What stopped the reconciliation, other than the hook. */
  readonly problem?: ReconcileProblem & { readonly retry: RetryPace };
  readonly stability?: HookStability | undefined;
  readonly events?: readonly InstanceEvent[];
  readonly outcome?: Finish['outcome'];
  /** What to do about an error of the hook; in the condition, because a namespace that is being deleted takes no events. */
  readonly hint?: string;
  /** Reconcile again no later than this. */
  readonly atMost?: Millis | undefined;
};

/** The end of a reconciliation: status, events, and when to reconcile again. */
export function finishCycle(ending: FinishInput): Finish {
  const { snapshot, phaseReplies } = ending;
  const last = phaseReplies.find(({ fault }) => fault?.halt === true);
  const halted =
    last?.fault === undefined
      ? undefined
      : withHint(problemOf(snapshot.registration, last.phase, last.fault), ending.hint);
  const problem = halted ?? withoutRetry(ending.problem);
  const wait = waitOf(ending);
  const all = [
    ...phaseReplies.flatMap((phaseReply) => eventsOf(snapshot.registration, phaseReply)),
    ...(ending.problem === undefined ? [] : [problemEvent(ending.problem)]),
    ...quarantineEvents(ending),
    ...(ending.events ?? []),
  ];
  return {
    type: 'finish',
    status: instanceStatus({
      ...snapshot,
      live: controlledChildren(snapshot),
      replies: effectiveReplies(phaseReplies),
      isWhole: areAllPhasesAnswered(snapshot, phaseReplies),
      hookProblem: hookProblemOf(snapshot, phaseReplies),
      problem,
      values: ending.values,
    }),
    events: all.filter((event) => !snapshot.memory.said.includes(keyOf(event))),
    after: wait.after,
    memory: {
      failures: wait.isRetry ? failuresOf(snapshot) + 1 : 0,
      generation: generationOf(snapshot.instance),
      stability: 'stability' in ending ? ending.stability : snapshot.memory.stability,
      said: all.map(keyOf),
    },
    outcome: ending.outcome ?? (problem === undefined ? 'done' : 'failed'),
  };
}

/** An end without any change. */
export const rest = (memory: InstanceMemory, outcome: Finish['outcome']): Finish => ({
  type: 'finish',
  status: undefined,
  events: [],
  after: undefined,
  memory: { ...memory, failures: 0, said: [] },
  outcome,
});

const withHint = (problem: ReconcileProblem, hint: string | undefined): ReconcileProblem =>
  hint === undefined ? problem : { ...problem, message: `${problem.message} (${hint})` };

const keyOf = ({ reason, message }: InstanceEvent): string => `${reason} ${message}`;

const withoutRetry = (problem: FinishInput['problem']): ReconcileProblem | undefined =>
  problem && { status: problem.status, reason: problem.reason, message: problem.message };

/** Events have their reasons in camel case. */
const problemEvent = ({ reason, message }: ReconcileProblem): InstanceEvent => ({
  type: 'Warning',
  reason: eventReasons[reason] ?? 'ReconcileFailed',
  message: shortened(message),
});

const eventReasons: Readonly<Record<string, string>> = {
  RENDERFAILED: 'RenderFailed',
  REFERENCEREFUSED: 'ReferenceRefused',
  ADDRESSUNRESOLVED: 'AddressUnresolved',
  CONFIGMISSING: 'ConfigMissing',
  CHILDCONFLICT: 'ChildConflict',
  APPLYFAILED: 'ApplyFailed',
  PATCHREJECTED: 'PatchRejected',
  GATEWAITING: 'GateWaiting',
  GATECLOSED: 'GateClosed',
  PAUSED: 'DeletionBlocked',
  HOOKNOTDETERMINISTIC: 'HookNotDeterministic',
};

/** After an error that halts, only the status of that reply is used. */
function effectiveReplies(phaseReplies: readonly PhaseReply[]): readonly PhaseReply['reply'][] {
  const failed = phaseReplies.find(({ fault }) => fault?.halt === true);
  return (failed === undefined ? phaseReplies : [failed]).map(({ reply }) => reply);
}

/** Whether every phase before the children are applied was answered without an error. */
const areAllPhasesAnswered = (
  { registration }: InstanceSnapshot,
  phaseReplies: readonly PhaseReply[],
): boolean =>
  (['pre-reconcile', 'post-reconcile'] as const).every(
    (phase) =>
      !hasPhase(registration, phase) ||
      phaseReplies.some((phaseReply) => phaseReply.phase === phase && phaseReply.fault === undefined),
  );

function hookProblemOf(
  { registration }: InstanceSnapshot,
  phaseReplies: readonly PhaseReply[],
): ReconcileProblem | undefined {
  const failed = phaseReplies.find(({ fault }) => fault !== undefined);
  return failed?.fault === undefined ? undefined : problemOf(registration, failed.phase, failed.fault);
}

const firstWait = seconds(1);
const longest: Readonly<Record<Exclude<RetryPace, 'never'>, Millis>> = {
  soon: minutes(5),
  seldom: minutes(30),
};

/** After this many failures in a row the longest delay is used. */
const quarantineAfter = 6;

/** The same event at every further failure, so it is recorded once. */
function quarantineEvents({ snapshot, phaseReplies }: FinishInput): readonly InstanceEvent[] {
  const isOwn = phaseReplies.some(({ fault }) => fault?.reason === 'HOOKERROR');
  if (!isOwn || failuresOf(snapshot) + 1 < quarantineAfter) return [];
  const message = `hook of registration ${snapshot.registration.name}: the hook failed for this instance ${quarantineAfter} times in a row: it is called again about every ${formatDuration(longest.soon)}, and at once when the instance changes; other instances are not affected`;
  return [{ type: 'Warning', reason: 'HookQuarantined', message }];
}

/** Doubles from a second, with jitter. */
const retryDelay = (failures: number, chance: number, pace: Exclude<RetryPace, 'never'>): Millis =>
  millis(Math.round(backOff(failures + 1, chance, { first: firstWait, longest: longest[pace] })));

function waitOf({ snapshot, phaseReplies, problem, atMost }: FinishInput): {
  after: Millis;
  isRetry: boolean;
} {
  const { chance, registration } = snapshot;
  const failures = failuresOf(snapshot);
  const retries = phaseReplies.flatMap(({ fault }) =>
    fault === undefined || fault.permanent ? [] : [fault],
  );
  const waits: Millis[] = retries.map(
    (fault) => fault.retryAfter ?? retryDelay(countedFailures(failures, fault), chance, retryOf(fault)),
  );
  if (problem !== undefined && problem.retry !== 'never')
    waits.push(retryDelay(failures, chance, problem.retry));
  const wished = phaseReplies.flatMap(({ reply: { resyncAfter } }) =>
    resyncAfter === undefined ? [] : [resyncAfter],
  );
  const after = Math.min(registration.resyncPeriod, atMost ?? Infinity, ...waits, ...wished);
  return { after: millis(after), isRetry: waits.length > 0 };
}

/** In quarantine the delay is the longest. */
const countedFailures = (failures: number, { reason }: HookFault): number =>
  reason === 'HOOKERROR' && failures + 1 >= quarantineAfter ? Infinity : failures;

const retryOf = ({ reason }: HookFault): 'soon' | 'seldom' =>
  reason === 'PATCHINVALID' || reason === 'PATCHREJECTED' ? 'seldom' : 'soon';
