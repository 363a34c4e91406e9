import type { ActReply, ActRequestBody } from '#web/wire/session.ts';

/** One line of the log for each act: who did what, why, and how it ended. */
export type Audit = (message: string, fields: Readonly<Record<string, string>>) => void;

export function auditAct(audit: Audit, user: string, body: ActRequestBody, reply: ActReply): void {
  audit('act', {
    user,
    verb: body.verb,
    object: body.topic,
    ...(body.reason === undefined ? {} : { reason: body.reason }),
    result: reply.result,
    message: reply.message,
  });
}
