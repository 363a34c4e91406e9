import type { Json, JsonObject } from '#base/json.ts';
import type { Millis } from '#base/time.ts';

/** An error as a hook reports it, its spellings gone. */
export type ReplyError = {
  readonly message: string;
  /** True: asking again will not help. */
  readonly permanent: boolean;
  /** True: stop here; in finalize: the instance stays. */
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

/** What a hook answered, in one form. Nothing here has been judged by the registration yet. */
export type HookReply = {
  readonly error: ReplyError | undefined;
  readonly patches: readonly PatchEntry[];
  /** Variables as a container has them: name with value or valueFrom. */
  readonly envVars: readonly JsonObject[];
  readonly conditions: readonly ReplyCondition[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly children: ReplyChildren;
  readonly resyncAfter: Millis | undefined;
  /** False: cleaning up goes on; ask again. */
  readonly finalized: boolean;
  /** Members that mean nothing here. */
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
