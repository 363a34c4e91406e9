import type { RecordedAct } from '#releases/kinds/release-history.ts';
import { shorten } from '#base/text.ts';
import { formatTime, parseTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { EventNote } from '#releases/model/action.ts';
import type { ActVerb } from '#releases/model/act.ts';
import { actWriter, type FieldWriter } from './field-writer.ts';
import type { PendingAct } from './pending-act.ts';

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
  }: { readonly workload: KubeObject; readonly step?: number | undefined; readonly now: Instant },
): RecordedAct {
  const act = request.type === 'act' ? request.act : undefined;
  const writer = actWriter(workload);
  return {
    id: request.id,
    ...(act === undefined ? {} : { verb: act.verb }),
    ...(step === undefined ? {} : { step }),
    ...(act === undefined || act.by === '' ? {} : { by: shorten(act.by, longestText) }),
    ...(writer === undefined ? {} : { manager: shorten(writer.manager, longestText) }),
    time: timeOf(writer, act?.time, now),
    ...(act?.reason === undefined ? {} : { reason: shorten(act.reason, longestText) }),
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
  const message = `${recorded.message ?? ''} ${whoAsked(recorded)}`;
  if (!isDone || request.type === 'unreadable') return { type: 'Warning', reason: 'ActIgnored', message };
  return { type: 'Normal', reason: eventReasons[request.act.verb], message };
}

/** Who made a request: what the client claims, and what the server recorded. */
export function whoAsked({ by, manager, time, reason }: RecordedAct): string {
  const claimed = by === undefined ? 'an unnamed user' : `user ${by} (claimed by the client)`;
  const writer = manager === undefined ? 'an unknown field manager' : `field manager ${manager}`;
  const why = reason === undefined || reason === '' ? '' : ` Reason: ${reason}`;
  return `Requested by ${claimed}, written by ${writer} at ${time ?? ''}.${why}`;
}
