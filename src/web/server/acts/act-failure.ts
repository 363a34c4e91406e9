import { ExitError } from '#command/exit.ts';
import { RefusedExit } from '#command/open-cluster.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { ActReply } from '#web/wire/session.ts';

/** The reply to an act that a command would have ended with an error. */
export function failureOf(error: unknown): ActReply {
  if (error instanceof RefusedExit && error.refusal.type === 'forbidden')
    return { result: 'Forbidden', message: error.message };
  if (error instanceof ExitError)
    return { result: error.code === 2 ? 'Invalid' : 'Refused', message: error.message };
  if (error instanceof Unavailable)
    return {
      result: 'Refused',
      message: `the API server does not answer, so it is not known whether it was done: ${error.message}`,
    };
  throw error;
}
