import type { ReconcileReply, ReconcileRequest } from '#api/registration/hook-protocol.ts';
import type { Phase } from '#api/registration/hook.ts';
import type { Clock, Millis } from '#base/time.ts';

export type HookContext = {
  /** Aborted when the caller goes away: its timeout is over. */
  readonly signal: AbortSignal;
  /** Another for every call. */
  readonly requestId: string;
};

type MaybePromise<Value> = Value | Promise<Value>;

/** What is done in a phase. Nothing returned is: fine, no wishes. Throw a HookError to report one. */
export type HookHandler<P extends Phase> = (
  request: ReconcileRequest & { readonly phase: P },
  context: HookContext,
) => MaybePromise<ReconcileReply | undefined>;

export type HookDefinition = {
  readonly preReconcile?: HookHandler<'pre-reconcile'>;
  readonly postReconcile?: HookHandler<'post-reconcile'>;
  readonly finalize?: HookHandler<'finalize'>;
  /** The key that the registration names in auth.hmac: requests without a good signature are refused. */
  readonly secret?: string;
  /** How old a signature may be; 5 minutes unless given. */
  readonly signatureAge?: Millis;
  /** Called with what a handler threw that is no HookError. */
  readonly onError?: (error: unknown, request: ReconcileRequest) => void;
  /** The time by which signatures are judged; the machine's unless given. */
  readonly clock?: Pick<Clock, 'now'>;
};
