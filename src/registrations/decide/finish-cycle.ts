import { formatDuration } from '#base/duration.ts';
import { millis, minutes, seconds, type Millis } from '#base/time.ts';
import type { EventNote as Said } from '#releases/decide/model/action.ts';
import { shortened } from '#hooks/decide/shortened.ts';
import {
  failuresOf,
  generationOf,
  type CycleFacts,
  type Finish,
  type InstanceMemory,
  type Moods,
} from './cycle.ts';
import { instanceStatus, type Trouble } from './instance-status.ts';
import { controlledChildren } from './live-children.ts';
import type { HookFault } from './judge-answer.ts';
import { eventsOf, isAsked, troubleOf, type Voice } from './voices.ts';

/** How what went wrong is tried again; `never` is: when something changes, and at the next resync. */
export type Retry = 'soon' | 'seldom' | 'never';

export type Ending = {
  readonly facts: CycleFacts;
  readonly voices: readonly Voice[];
  readonly values?: ReadonlyMap<string, string>;
  /** What stopped it, unless it was the hook. */
  readonly trouble?: Trouble & { readonly retry: Retry };
  readonly moods?: Moods | undefined;
  readonly events?: readonly Said[];
  readonly outcome?: Finish['outcome'];
  /** What helps against what the hook said, for where no event can tell it: in a namespace that is deleted. */
  readonly hint?: string;
  /** Look again no later than this. */
  readonly atMost?: Millis | undefined;
};

/** The end of a reconciliation: status, events, and when to look again. */
export function finishCycle(ending: Ending): Finish {
  const { facts, voices } = ending;
  const last = voices.find(({ fault }) => fault?.halt === true);
  const halted =
    last?.fault === undefined
      ? undefined
      : withHint(troubleOf(facts.registration, last.phase, last.fault), ending.hint);
  const trouble = halted ?? plainTrouble(ending.trouble);
  const wait = waitOf(ending);
  const all = [
    ...voices.flatMap((voice) => eventsOf(facts.registration, voice)),
    ...(ending.trouble === undefined ? [] : [troubleEvent(ending.trouble)]),
    ...quarantineEvents(ending),
    ...(ending.events ?? []),
  ];
  return {
    type: 'finish',
    status: instanceStatus({
      ...facts,
      live: controlledChildren(facts),
      replies: repliesThatCount(voices),
      isWhole: isHeardWhole(facts, voices),
      hookTrouble: hookTroubleOf(facts, voices),
      trouble,
      values: ending.values,
    }),
    events: all.filter((event) => !facts.memory.said.includes(keyOf(event))),
    after: wait.after,
    memory: {
      failures: wait.isRetry ? failuresOf(facts) + 1 : 0,
      generation: generationOf(facts.instance),
      moods: 'moods' in ending ? ending.moods : facts.memory.moods,
      said: all.map(keyOf),
    },
    outcome: ending.outcome ?? (trouble === undefined ? 'done' : 'failed'),
  };
}

/** An end at which nothing was done. */
export const rest = (memory: InstanceMemory, outcome: Finish['outcome']): Finish => ({
  type: 'finish',
  status: undefined,
  events: [],
  after: undefined,
  memory: { ...memory, failures: 0, said: [] },
  outcome,
});

const withHint = (trouble: Trouble, hint: string | undefined): Trouble =>
  hint === undefined ? trouble : { ...trouble, message: `${trouble.message} (${hint})` };

const keyOf = ({ reason, message }: Said): string => `${reason} ${message}`;

const plainTrouble = (trouble: Ending['trouble']): Trouble | undefined =>
  trouble && { status: trouble.status, reason: trouble.reason, message: trouble.message };

/** `RENDERFAILED` is what conditions say; events say it in the other fashion. */
const troubleEvent = ({ reason, message }: Trouble): Said => ({
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

/** After an error of the hook only that reply is heard, and of it what it says of the status (§6.3). */
function repliesThatCount(voices: readonly Voice[]): readonly Voice['reply'][] {
  const failed = voices.find(({ fault }) => fault?.halt === true);
  return (failed === undefined ? voices : [failed]).map(({ reply }) => reply);
}

/** Whether every phase that shapes the instance was answered without an error. */
const isHeardWhole = ({ registration }: CycleFacts, voices: readonly Voice[]): boolean =>
  (['pre-reconcile', 'post-reconcile'] as const).every(
    (phase) =>
      !isAsked(registration, phase) ||
      voices.some((voice) => voice.phase === phase && voice.fault === undefined),
  );

function hookTroubleOf({ registration }: CycleFacts, voices: readonly Voice[]): Trouble | undefined {
  const failed = voices.find(({ fault }) => fault !== undefined);
  return failed?.fault === undefined ? undefined : troubleOf(registration, failed.phase, failed.fault);
}

const firstWait = seconds(1);
const longest: Readonly<Record<Exclude<Retry, 'never'>, Millis>> = { soon: minutes(5), seldom: minutes(30) };

/** From so many failures in a row on only the longest pause is made. */
const quarantineAfter = 6;

/** Said at every failure from then on, and so told once. */
function quarantineEvents({ facts, voices }: Ending): readonly Said[] {
  const isOwn = voices.some(({ fault }) => fault?.reason === 'HOOKERROR');
  if (!isOwn || failuresOf(facts) + 1 < quarantineAfter) return [];
  const message = `hook of registration ${facts.registration.name}: the hook failed for this instance ${quarantineAfter} times in a row: it is asked again every ${formatDuration(longest.soon)}, and at once when the instance changes; other instances are not held up`;
  return [{ type: 'Warning', reason: 'HookQuarantined', message }];
}

/** §6.5: doubling from a second, with some spread. */
function backOff(failures: number, chance: number, retry: Exclude<Retry, 'never'>): Millis {
  const span = Math.min(firstWait * 2 ** Math.min(failures, 20), longest[retry]);
  return millis(Math.round(span * (1 + chance / 2)));
}

function waitOf({ facts, voices, trouble, atMost }: Ending): { after: Millis; isRetry: boolean } {
  const { chance, registration } = facts;
  const failures = failuresOf(facts);
  const retries = voices.flatMap(({ fault }) => (fault === undefined || fault.permanent ? [] : [fault]));
  const waits: Millis[] = retries.map(
    (fault) => fault.retryAfter ?? backOff(countedFailures(failures, fault), chance, retryOf(fault)),
  );
  if (trouble !== undefined && trouble.retry !== 'never')
    waits.push(backOff(failures, chance, trouble.retry));
  const wished = voices.flatMap(({ reply: { resyncAfter } }) =>
    resyncAfter === undefined ? [] : [resyncAfter],
  );
  const after = Math.min(registration.resyncPeriod, atMost ?? Infinity, ...waits, ...wished);
  return { after: millis(after), isRetry: waits.length > 0 };
}

/** In quarantine it is as if it had failed for very long. */
const countedFailures = (failures: number, { reason }: HookFault): number =>
  reason === 'HOOKERROR' && failures + 1 >= quarantineAfter ? Infinity : failures;

const retryOf = ({ reason }: HookFault): 'soon' | 'seldom' =>
  reason === 'PATCHINVALID' || reason === 'PATCHREJECTED' ? 'seldom' : 'soon';
