import type { RecordedAct } from '#releases/kinds/release-history.ts';
import { shorten } from '#base/text.ts';
import { formatTime, parseTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { EventNote } from '#releases/model/action.ts';
import type { ActVerb } from '#releases/model/act.ts';
import { actWriter, type FieldWriter } from './field-writer.ts';
import { shortId, type PendingAct } from './pending-act.ts';
import { changeVerbs, type ChangeVerb } from '#releases/model/release-change.ts';

/** A request and what it led to. */
export type DecidedAct = {
  readonly request: PendingAct;
  readonly isDone: boolean;
  readonly message: string;
};

const longestText = 256;

/** `step`: the step at that time, from 1; undefined for a workload without steps. */
export function recordAct(
  { request, isDone, message }: DecidedAct,
  {
    workload,
    step,
    now,
  }: { readonly workload: KubeObject; readonly step: number | undefined; readonly now: Instant },
): RecordedAct {
  const act = request.type === 'act' ? request.act : undefined;
  const signed = { ...act, id: request.id };
  return recordChange({ verb: act?.verb, signed, isDone, message, step, writer: actWriter(workload), now });
}

export type ChangeToRecord = {
  readonly verb: string | undefined;
  /** What the client claims; undefined where nothing names it. */
  readonly signed:
    | { readonly id: string; readonly by?: string; readonly reason?: string; readonly time?: string }
    | undefined;
  readonly isDone: boolean;
  readonly message: string;
  readonly step: number | undefined;
  readonly writer: FieldWriter | undefined;
  readonly now: Instant;
};

export function recordChange(given: ChangeToRecord): RecordedAct {
  const { verb, signed, isDone, message, step, writer, now } = given;
  const { id, by = '', reason, time } = signed ?? {};
  return {
    ...(id === undefined ? {} : { id: shortId(id) }),
    ...(verb === undefined ? {} : { verb }),
    ...(step === undefined ? {} : { step }),
    ...(by === '' ? {} : { by: shorten(by, longestText) }),
    ...(writer === undefined ? {} : { manager: shorten(writer.manager, longestText) }),
    time: timeOf(writer, time, now),
    ...(reason === undefined ? {} : { reason: shorten(reason, longestText) }),
    result: isDone ? 'Done' : 'Ignored',
    message: shorten(message, longestText),
  };
}

/** The time that the server recorded, else the one that the client claims. */
const timeOf = (writer: FieldWriter | undefined, claimed: string | undefined, now: Instant): string =>
  formatTime(parseTime(writer?.time ?? '') ?? parseTime(claimed ?? '') ?? now);

const eventReasons: Readonly<Record<ActVerb, string>> = {
  promote: 'PromotedByUser',
  abort: 'AbortedByUser',
  retry: 'RetriedByUser',
};

export function actNote({ request, isDone }: DecidedAct, recorded: RecordedAct): EventNote {
  const said = { message: `${recorded.message ?? ''} ${whoAsked(recorded)}`, isRequested: true } as const;
  if (!isDone || request.type === 'unreadable') return { type: 'Warning', reason: 'ActIgnored', ...said };
  return { type: 'Normal', reason: eventReasons[request.act.verb], ...said };
}

const changeReasons: Readonly<Record<ChangeVerb, string>> = {
  pause: 'PausedByUser',
  resume: 'ResumedByUser',
  undo: 'UndoneByUser',
  'set image': 'ImageSetByUser',
  restart: 'RestartedByUser',
};

/** The event of a change that `boathook release` made; a change without an id has none. */
export function changeNote(recorded: RecordedAct): EventNote | undefined {
  const verb = changeVerbs.find((each) => each === recorded.verb);
  if (verb === undefined || recorded.id === undefined) return undefined;
  return {
    type: 'Normal',
    reason: changeReasons[verb],
    message: `${recorded.message ?? ''} ${whoAsked(recorded)}`,
    isRequested: true,
  };
}

/** Who made a request: what the client claims, and what the server recorded. */
function whoAsked({ by, manager, time, reason }: RecordedAct): string {
  const claimed = by === undefined ? 'an unnamed user' : `user ${by} (claimed by the client)`;
  const writer = manager === undefined ? 'an unknown field manager' : `field manager ${manager}`;
  const why = reason === undefined || reason === '' ? '' : ` Reason: ${reason}`;
  return `Requested by ${claimed}, written by ${writer} at ${time ?? ''}.${why}`;
}
