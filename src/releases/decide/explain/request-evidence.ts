import { objectAt, textAt } from '#base/json.ts';
import { pendingAct } from '#releases/decide/acts/pending-act.ts';
import type { ComingEvent, RequestEvidence } from './explanation.ts';
import type { ExplainContext } from './explain-context.ts';

/** The last request that the controller has handled. */
export function lastRequest({ snapshot }: ExplainContext): RequestEvidence | undefined {
  const act = objectAt(snapshot.workload, 'status', 'canary', 'lastAct');
  const verb = textAt(act, 'verb');
  if (verb === undefined) return undefined;
  const [by, time, reason] = [textAt(act, 'by'), textAt(act, 'time'), textAt(act, 'reason')];
  return {
    verb,
    ...(by === undefined ? {} : { by }),
    ...(time === undefined ? {} : { time }),
    ...(reason === undefined ? {} : { reason }),
    result: textAt(act, 'result') ?? '',
    message: textAt(act, 'message') ?? '',
  };
}

/** A request that no controller has handled yet. */
export function pendingRequest({ snapshot }: ExplainContext): readonly ComingEvent[] {
  const pending = pendingAct(snapshot.workload);
  if (pending === undefined) return [];
  if (pending.type === 'unreadable') return [{ what: pending.message }];
  const { verb, by, time } = pending.act;
  const who = by === '' ? '' : ` of ${by}`;
  return [{ what: `The controller handles the request to ${verb}${who}, made at ${time}.` }];
}
