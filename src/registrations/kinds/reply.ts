import type { Json, JsonObject } from '#base/json.ts';
import type { Millis } from '#base/time.ts';

/** A decoded error of a hook. */
export type ReplyError = {
  readonly message: string;
  /** True: another call will not help. */
  readonly permanent: boolean;
  /** True: nothing is applied; in finalize the instance stays. */
  readonly halt: boolean;
};

export type PatchTarget = 'main' | 'service' | 'serviceAccount';

export type PatchEntry = {
  readonly target: PatchTarget;
  readonly type: 'json' | 'merge' | 'strategic';
  readonly patch: Json;
};

export type ReplyCondition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
};

export type ChildKey = 'deployment' | 'ksvc' | 'service' | 'serviceAccount';
export type ReplyChildren = Readonly<Partial<Record<'deployment' | 'ksvc' | 'service', JsonObject>>>;

/** A decoded reply. It is not checked against the registration yet. */
export type HookReply = {
  readonly error: ReplyError | undefined;
  readonly patches: readonly PatchEntry[];
  /** Variables in the form of a container: name with value or valueFrom. */
  readonly envVars: readonly JsonObject[];
  readonly conditions: readonly ReplyCondition[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly children: ReplyChildren;
  readonly resyncAfter: Millis | undefined;
  /** False: the cleanup has not finished; call again. */
  readonly finalized: boolean;
  /** Unknown members. */
  readonly unknown: readonly string[];
};

export const emptyReply: HookReply = {
  error: undefined,
  patches: [],
  envVars: [],
  conditions: [],
  annotations: {},
  children: {},
  resyncAfter: undefined,
  finalized: true,
  unknown: [],
};

export type ReadReply =
  | { readonly type: 'reply'; readonly reply: HookReply }
  | {
      readonly type: 'malformed';
      readonly reason: 'REPLYINVALID' | 'PATCHINVALID';
      readonly message: string;
    };
