import { readErrorReply, readReply } from '#registrations/kinds/read-reply.ts';
import type { HookPhase } from '#registrations/kinds/hook.ts';
import { emptyReply, type HookReply, type ReplyError } from '#registrations/kinds/reply.ts';
import { shortened } from '#hooks/decide/shortened.ts';
import { millis, parseTime, seconds, type Instant, type Millis } from '#base/time.ts';
import type { HookAnswer } from './cycle.ts';

/** Reasons of conditions. */
export type HookReason =
  'HOOKERROR' | 'HOOKPERMANENT' | 'HOOKUNREACHABLE' | 'REPLYINVALID' | 'PATCHINVALID' | 'PATCHREJECTED';

export type HookFault = {
  readonly reason: HookReason;
  readonly message: string;
  readonly permanent: boolean;
  readonly halt: boolean;
  /** When to call the hook again, by its own reply. */
  readonly retryAfter: Millis | undefined;
};

export type JudgedAnswer = {
  /** The whole reply; after an error only its status. */
  readonly reply: HookReply;
  readonly fault: HookFault | undefined;
};

export type JudgeGiven = { readonly phase: HookPhase; readonly strict: boolean; readonly now: Instant };

/** Decodes an answer of a hook; a failed call and an invalid reply are faults. */
export function judgeAnswer(answer: HookAnswer, given: JudgeGiven): JudgedAnswer {
  switch (answer.type) {
    case 'failed':
      return fault('HOOKUNREACHABLE', answer.message);
    case 'resting':
      return fault('HOOKUNREACHABLE', answer.message, millis(Math.max(0, answer.until - given.now)));
    case 'answer':
      return isGood(answer.status) ? judgeGood(answer.body, given) : judgeBad(answer, given.now);
  }
}

/** Gateways send these when they cannot connect to the hook, or when it takes too long. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/**
 * Whether the hook answered. An error in an answer is about the instance; only a missing answer is a problem of the
 * hook itself.
 */
export const isHookReached = (answer: HookAnswer): boolean =>
  answer.type === 'answer' &&
  (!gatewayStatuses.includes(answer.status) || readErrorReply(answer.body) !== undefined);

const isGood = (status: number): boolean => status >= 200 && status < 300;

const fault = (reason: HookReason, message: string, retryAfter?: Millis): JudgedAnswer => ({
  reply: emptyReply,
  fault: { reason, message: shortened(message), permanent: false, halt: true, retryAfter },
});

function judgeGood(body: string, { phase, strict }: JudgeGiven): JudgedAnswer {
  const read = readReply(body, { phase, strict });
  if (read.type === 'malformed') return fault(read.reason, read.message);
  const { reply } = read;
  if (reply.error === undefined) return { reply, fault: undefined };
  const { conditions, annotations, resyncAfter } = reply;
  return {
    reply: { ...emptyReply, conditions, annotations, finalized: reply.finalized },
    fault: faultOf(reply.error, resyncAfter),
  };
}

const faultOf = (error: ReplyError, retryAfter: Millis | undefined): HookFault => ({
  ...error,
  reason: error.permanent ? 'HOOKPERMANENT' : 'HOOKERROR',
  retryAfter,
});

function judgeBad(answer: Extract<HookAnswer, { type: 'answer' }>, now: Instant): JudgedAnswer {
  const { status, body } = answer;
  const later = status === 429 || status === 503 ? retryAfterOf(answer.retryAfter, now) : undefined;
  if (status >= 300 && status < 400)
    return fault('HOOKERROR', `it answered ${status}: redirects are not followed: use the final address`);
  const error = readErrorReply(body);
  if (error !== undefined) return { reply: emptyReply, fault: faultOf(error, later) };
  const text = body.trim();
  return fault('HOOKERROR', `it answered ${status}${text === '' ? '' : `: ${text}`}`, later);
}

const longestWait = seconds(3600);

/** Seconds or a date; an invalid value is ignored. */
function retryAfterOf(header: string | undefined, now: Instant): Millis | undefined {
  const text = header?.trim() ?? '';
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isFinite(wait) ? millis(Math.min(Math.max(wait, 0), longestWait)) : undefined;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const datePattern = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;

function httpDate(text: string): number {
  const [, day, month, year, time] = datePattern.exec(text) ?? [];
  const index = months.indexOf(month ?? '');
  if (index < 0) return Number.NaN;
  return parseTime(`${year}-${String(index + 1).padStart(2, '0')}-${day}T${time}Z`) ?? Number.NaN;
}
