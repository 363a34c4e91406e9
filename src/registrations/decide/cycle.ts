import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { ChildKey } from '#registrations/kinds/reply.ts';
import { numberAt, type JsonObject } from '#base/json.ts';
import type { Instant, Millis } from '#base/time.ts';
import type { KubeObject, WithMetadata } from '#kube/object.ts';
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
      /** The header Retry-After. */
      readonly retryAfter: string | undefined;
      readonly body: string;
    }
  /** The call failed; `message` contains no secret. */
  | { readonly type: 'failed'; readonly message: string }
  /** The call was not made: the circuit breaker is open. */
  | { readonly type: 'resting'; readonly until: Instant; readonly message: string };

/** State of an instance that this process keeps between reconciliations. */
export type InstanceMemory = {
  /** Failed reconciliations in a row that are retried, of one generation of the instance. */
  readonly failures: number;
  readonly generation: number;
  /** How often the result of the hook changed for the same input. */
  readonly stability: HookStability | undefined;
  /** The events of the last reconciliation, which are not recorded again. */
  readonly said: readonly string[];
};

/** Hashes of the input and the result of a hook, and how often in a row the result changed for this input. */
export type HookStability = {
  readonly input: string;
  readonly desired: string;
  readonly changes: number;
  /** When the first of these changes was. */
  readonly since: Instant;
};

export type AppliedChild = {
  readonly key: ChildKey;
  readonly result:
    | { readonly type: 'applied'; readonly object: KubeObject }
    /** `isTry`: rejected by the dry run, so nothing was written. */
    | { readonly type: 'refused'; readonly message: string; readonly isTry: boolean };
};

/** Everything that is known during one reconciliation. The controller adds the result of each step. */
export type InstanceSnapshot = {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly environment: ControllerEnvironment;
  readonly instance: KubeObject;
  readonly now: Instant;
  /** From 0 to 1, for the jitter of delays. */
  readonly chance: number;
  readonly memory: InstanceMemory;
  /** Referenced objects by `referenceKey`; undefined for those that do not exist. */
  readonly references: ReadonlyMap<string, KubeObject | undefined>;
  /** Live children of the instance, and other objects with the name of a child. */
  readonly live: readonly KubeObject[];
  /** Those of them that were read by requests, by uid: no informer shows them. */
  readonly found?: ReadonlySet<string>;
  /** A child was not the object that was known, so its name was looked up once more. */
  readonly isLookedUpAgain?: boolean;
  readonly answers: Readonly<Partial<Record<HookPhase, HookAnswer>>>;
  /** Present when the registration has a gate. */
  readonly gate?: {
    readonly template: KubeObject | undefined;
    /** The run named `gateRunName`. */
    readonly run: KubeObject | undefined;
  };
  /** The result of the step `apply`; `live` then has the children after it. */
  readonly applied?: readonly AppliedChild[];
};

/** The next step. After each but `finish`, decide again with its result. */
export type ReconcileStep =
  /** Read these objects, and reconcile again when one of them changes. */
  | { readonly type: 'fetch'; readonly references: readonly ObjectReference[] }
  /** Separate writes with the resource version; then start again with the written object. */
  | { readonly type: 'add-finalizer' }
  | { readonly type: 'remove-finalizer'; readonly events: readonly InstanceEvent[] }
  | { readonly type: 'call'; readonly phase: HookPhase; readonly request: JsonObject }
  | { readonly type: 'create-run'; readonly run: JsonObject }
  | {
      readonly type: 'apply';
      readonly children: readonly { readonly key: ChildKey; readonly object: KubeObject }[];
      readonly prune: readonly KubeObject[];
      /** The hook changed the children: apply them as a dry run first. */
      readonly tryFirst: boolean;
    }
  | Finish;

export type Finish = {
  readonly type: 'finish';
  /** The whole new status; undefined when it does not change. */
  readonly status: JsonObject | undefined;
  readonly events: readonly InstanceEvent[];
  /** When to reconcile again without a change; undefined: never. */
  readonly after: Millis | undefined;
  readonly memory: InstanceMemory;
  /** For metrics. */
  readonly outcome: 'done' | 'paused' | 'waiting' | 'failed';
};

export const freshMemory: InstanceMemory = { failures: 0, generation: 0, stability: undefined, said: [] };

/** Failures in a row of this generation of the instance: an edit starts from 0. */
export const failuresOf = ({ memory, instance }: Pick<InstanceSnapshot, 'memory' | 'instance'>): number =>
  memory.generation === generationOf(instance) ? memory.failures : 0;

export const generationOf = ({ metadata }: WithMetadata): number => numberAt(metadata, 'generation') ?? 0;
