import type {
  FullObject,
  ReconcileReply,
  ReconcileRequest,
  ReferenceObject,
} from '#registrations/kinds/hook-protocol.ts';
import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { ReplayStore } from './replay-store.ts';

export type HookContext = {
  /** Aborted when the caller disconnects, for example at its timeout. */
  readonly signal: AbortSignal;
  /** Unique for every call. */
  readonly requestId: string;
};

/** Milliseconds since 1970. */
export type HookClock = { readonly now: () => number };

type MaybePromise<Value> = Value | Promise<Value>;

/** Handles a phase. `undefined` is an empty reply: success, no changes. Throw a HookError to report an error. */
export type HookHandler<P extends HookPhase, Form extends PayloadForm = 'reference'> = (
  request: HookRequest<P, Form>,
  context: HookContext,
) => MaybePromise<ReconcileReply | undefined>;

/** `spec.hook.payload` of the registration. */
export type PayloadForm = 'reference' | 'full';

export type HookRequest<P extends HookPhase, Form extends PayloadForm> = Omit<ReconcileRequest, 'object'> & {
  readonly phase: P;
  readonly object: Form extends 'full' ? FullObject : ReferenceObject;
};

export type HookDefinition<Form extends PayloadForm = 'reference'> = {
  /** As in the registration. With `full`, requests that contain only a reference are refused. */
  readonly payload?: Form;
  readonly preReconcile?: HookHandler<'pre-reconcile', Form>;
  readonly postReconcile?: HookHandler<'post-reconcile', Form>;
  readonly finalize?: HookHandler<'finalize', Form>;
  /** The key of auth.hmac in the registration: requests without a valid signature are refused. */
  readonly secret?: string;
  /** The maximum age of a signature in milliseconds. Defaults to 5 minutes. */
  readonly signatureAge?: number;
  /**
   * Remembers signed requests, to refuse replays. Defaults to the memory of this process, for up to 100,000 requests.
   * Set a shared one when several processes serve one hook, or when replays must be refused after a restart.
   */
  readonly replayStore?: ReplayStore;
  /**
   * Called with errors of a handler that are not a HookError, and with invalid replies. Defaults to writing both to
   * stderr.
   */
  readonly onError?: (error: unknown, request: ReconcileRequest) => void;
  /** The clock for checking signatures. Defaults to the system clock. */
  readonly clock?: HookClock;
};
