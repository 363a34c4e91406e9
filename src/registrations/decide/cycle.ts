import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { ChildKey } from '#registrations/kinds/reply.ts';
import { numberAt, type JsonObject } from '#base/json.ts';
import type { Instant, Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { InstanceKind } from './inspect-crd.ts';
import type {
  ObjectReference,
  Registration,
  ControllerEnvironment,
} from '#registrations/model/registration.ts';

/** An event to record about the instance. */
export type InstanceEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
};

/** The objects that an instance becomes. */
export type Children = Readonly<Partial<Record<ChildKey, KubeObject>>>;

export type HookAnswer =
  | {
      readonly type: 'answer';
      readonly status: number;
      /** The header, as it came. */
      readonly retryAfter: string | undefined;
      readonly body: string;
    }
  /** No answer came; `message` holds no secret. */
  | { readonly type: 'failed'; readonly message: string }
  /** Nobody was called: the hook has failed so often that it rests. */
  | { readonly type: 'resting'; readonly until: Instant; readonly message: string };

/** What is remembered of an instance between reconciliations, by this process only. */
export type InstanceMemory = {
  /** Reconciliations in a row that are to be tried again, of one generation of the instance. */
  readonly failures: number;
  readonly generation: number;
  /** How often the hook changed its mind over the same input. */
  readonly stability: HookStability | undefined;
  /** What was said last time is not said again. */
  readonly said: readonly string[];
};

/** What a hook made of an input, and how often in a row it made something else of it. */
export type HookStability = {
  readonly input: string;
  readonly desired: string;
  readonly changes: number;
  /** The first of the changes. */
  readonly since: Instant;
};

export type AppliedChild = {
  readonly key: ChildKey;
  readonly result:
    | { readonly type: 'applied'; readonly object: KubeObject }
    /** `isTry`: by the trial run that comes first, so nothing was written. */
    | { readonly type: 'refused'; readonly message: string; readonly isTry: boolean };
};

/** Everything known while one reconciliation lasts. Whoever carries it out adds what each step brought. */
export type InstanceSnapshot = {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly environment: ControllerEnvironment;
  readonly instance: KubeObject;
  readonly now: Instant;
  /** From 0 to 1, for the spread of delays. */
  readonly chance: number;
  readonly memory: InstanceMemory;
  /** What `fetch` brought, by `referenceKey`; undefined for what does not exist. */
  readonly references: ReadonlyMap<string, KubeObject | undefined>;
  /** Live children: all of our kinds that the instance controls, and whatever has the name that one would have. */
  readonly live: readonly KubeObject[];
  readonly answers: Readonly<Partial<Record<HookPhase, HookAnswer>>>;
  /** Present when the registration has a gate. */
  readonly gate?: {
    readonly template: KubeObject | undefined;
    /** The run named `gateRunName`. */
    readonly run: KubeObject | undefined;
  };
  /** What became of the step `apply`; `live` then holds what it left. */
  readonly applied?: readonly AppliedChild[];
};

/** What is to be done next. After each but the last, decide again with what it brought. */
export type ReconcileStep =
  /** Read these, and let a change of them start a reconciliation. */
  | { readonly type: 'fetch'; readonly references: readonly ObjectReference[] }
  /** Two writes of their own, each testing that the object is the one that was read; then begin anew with the answer. */
  | { readonly type: 'add-finalizer' }
  | { readonly type: 'remove-finalizer'; readonly events: readonly InstanceEvent[] }
  | { readonly type: 'call'; readonly phase: HookPhase; readonly request: JsonObject }
  | { readonly type: 'create-run'; readonly run: JsonObject }
  | {
      readonly type: 'apply';
      readonly children: readonly { readonly key: ChildKey; readonly object: KubeObject }[];
      readonly prune: readonly KubeObject[];
      /** A hook had a hand in it: try all before any is written. */
      readonly tryFirst: boolean;
    }
  | Finish;

export type Finish = {
  readonly type: 'finish';
  /** The whole new status; undefined when it is as it should be. */
  readonly status: JsonObject | undefined;
  readonly events: readonly InstanceEvent[];
  /** When to look again without any change; undefined: never. */
  readonly after: Millis | undefined;
  readonly memory: InstanceMemory;
  /** For figures. */
  readonly outcome: 'done' | 'paused' | 'waiting' | 'failed';
};

export const freshMemory: InstanceMemory = { failures: 0, generation: 0, stability: undefined, said: [] };

/** Failures in a row with the instance as it is now: one that was edited is tried like a new one. */
export const failuresOf = ({ memory, instance }: Pick<InstanceSnapshot, 'memory' | 'instance'>): number =>
  memory.generation === generationOf(instance) ? memory.failures : 0;

export const generationOf = (instance: KubeObject): number =>
  numberAt(instance, 'metadata', 'generation') ?? 0;
