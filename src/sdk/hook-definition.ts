import type {
  FullObject,
  ReconcileReply,
  ReconcileRequest,
  ReferenceObject,
} from '#registrations/kinds/hook-protocol.ts';
import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { ReplayStore } from './replay-store.ts';

export type HookContext = {
  /** Aborted when the caller goes away: its timeout is over. */
  readonly signal: AbortSignal;
  /** Another for every call. */
  readonly requestId: string;
};

/** Milliseconds since 1970. */
export type HookClock = { readonly now: () => number };

type MaybePromise<Value> = Value | Promise<Value>;

/** What is done in a phase. Nothing returned is: fine, no wishes. Throw a HookError to report one. */
export type HookHandler<P extends HookPhase, Form extends PayloadForm = 'reference'> = (
  request: HookRequest<P, Form>,
  context: HookContext,
) => MaybePromise<ReconcileReply | undefined>;

/** What the registration says in `spec.hook.payload`. */
export type PayloadForm = 'reference' | 'full';

export type HookRequest<P extends HookPhase, Form extends PayloadForm> = Omit<ReconcileRequest, 'object'> & {
  readonly phase: P;
  readonly object: Form extends 'full' ? FullObject : ReferenceObject;
};

export type HookDefinition<Form extends PayloadForm = 'reference'> = {
  /** As in the registration. With `full`, requests of a registration that sends a reference only are refused. */
  readonly payload?: Form;
  readonly preReconcile?: HookHandler<'pre-reconcile', Form>;
  readonly postReconcile?: HookHandler<'post-reconcile', Form>;
  readonly finalize?: HookHandler<'finalize', Form>;
  /** The key that the registration names in auth.hmac: requests without a good signature are refused. */
  readonly secret?: string;
  /** How old a signature may be, in milliseconds; 5 minutes unless given. */
  readonly signatureAge?: number;
  /**
   * Remembers signed requests, so that none is taken twice. Unless given this process remembers up to 100,000 of them:
   * give one that is shared where several processes serve one hook, or where a restart must not forget.
   */
  readonly replayStore?: ReplayStore;
  /**
   * Called with what a handler threw that is no HookError, and with replies that Boathook would not understand. Both
   * are written to the error output unless given.
   */
  readonly onError?: (error: unknown, request: ReconcileRequest) => void;
  /** The time by which signatures are judged; the machine's unless given. */
  readonly clock?: HookClock;
};
