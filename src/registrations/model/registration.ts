import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { JsonObject } from '#base/json.ts';
import type { Millis } from '#base/time.ts';

/** An object that must be read before something can be decided. */
export type ObjectReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Not followed when the kind has no namespaces. */
  readonly isNamespacedOnly?: true;
};

export type FormFactor =
  | {
      readonly type: 'deployment';
      readonly replicas: number;
      readonly service: { readonly port: number; readonly targetPort: number } | undefined;
    }
  | {
      readonly type: 'ksvc';
      readonly minScale: number | undefined;
      readonly maxScale: number | undefined;
      readonly visibility: string | undefined;
    };

/** The key of an object beside the instance. */
export type ControllerKey = {
  readonly name: string;
  readonly key: string;
  readonly optional: boolean;
};

/** What a variable is, as a container has it. */
export type EnvContent =
  | { readonly type: 'value'; readonly value: string }
  | { readonly type: 'source'; readonly source: JsonObject }
  | { readonly type: 'controller-key'; readonly from: ControllerKey };

export type AddedEnv = { readonly name: string; readonly content: EnvContent };

export type RuleSource =
  | { readonly type: 'configMap' | 'secret'; readonly name: string; readonly key: string }
  | { readonly type: 'resolveAddress' };

export type VolumeRule = {
  readonly name: string;
  readonly mountPath: string;
  readonly type: 'configMap' | 'secret';
  /** A path into the instance; of added ones the name itself. */
  readonly object: string;
  readonly items: readonly VolumeItem[] | undefined;
  readonly defaultMode: number | undefined;
  readonly optional: boolean | undefined;
};

export type VolumeItem = {
  /** A path into the instance; of added ones the key itself. */
  readonly key: string;
  readonly path: string;
  readonly mode: number | undefined;
};

/** What is said about one element of instances. */
export type ParameterRule = {
  readonly name?: string;
  /** Whatever the instance says. */
  readonly fixed?: string;
  readonly fallback?: EnvContent;
  readonly from?: RuleSource;
  readonly volume?: VolumeRule;
};

export type HookAddress = {
  readonly uri: string | undefined;
  /** Its namespace is empty when the registration names none. */
  readonly ref: ObjectReference | undefined;
};

export type SecretKey = { readonly name: string; readonly key: string };

/** Secrets and ConfigMaps are those of the controller's namespace. */
export type RegisteredHook = {
  readonly address: HookAddress;
  readonly timeout: Millis;
  readonly capabilities: readonly HookPhase[];
  readonly payload: 'reference' | 'full';
  readonly finalizeTimeout: Millis | undefined;
  readonly maxReplyBytes: number;
  readonly strict: boolean;
  readonly protectedFields: readonly string[];
  readonly tls: {
    readonly caBundle: string | undefined;
    readonly caBundleFrom: (SecretKey & { readonly kind: 'Secret' | 'ConfigMap' }) | undefined;
    readonly clientCertificate: string | undefined;
    readonly serverName: string | undefined;
  };
  readonly auth: {
    readonly bearer: SecretKey | undefined;
    /** The Secret with a name and a password. */
    readonly basic: string | undefined;
    readonly hmac: SecretKey | undefined;
  };
};

export type GateSpec = {
  readonly templateName: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
};

/** A registration in the one form that everything after reading it knows. */
export type Registration = {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly crd: string;
  readonly form: FormFactor;
  readonly image: string;
  readonly prefix: string;
  readonly added: readonly AddedEnv[];
  readonly volumes: readonly VolumeRule[];
  /** By path: `spec.sink`. */
  readonly rules: ReadonlyMap<string, ParameterRule>;
  readonly skipped: readonly string[];
  /** Names, or `*`. */
  readonly envsFromHook: readonly string[];
  readonly statusValues: readonly { readonly path: string; readonly from: string }[];
  readonly hookConditions: readonly string[];
  readonly hook: RegisteredHook | undefined;
  readonly gate: GateSpec | undefined;
  readonly concurrency: number;
  readonly resyncPeriod: Millis;
  /** Namespaces beside its own that an instance may refer to: names, or `*`. */
  readonly referenceNamespaces: readonly string[];
};

/** Where the controller lives. */
export type ControllerEnvironment = {
  /** Its own namespace: hook addresses, Secrets and ConfigMaps without one are looked for here. */
  readonly namespace: string;
  /** `cluster.local` */
  readonly clusterDomain: string;
};

export const finalizer = 'scoby.triggermesh.io/finalizer';
/** The field manager of everything that is applied. */
export const fieldManager = 'boathook-registration';
/** "true": nothing is done for the instance; one that is deleted stays, and says so. */
export const pausedAnnotation = 'boathook.dev/paused';
/** "true": the instance may go though its hook has not let it. */
export const skipFinalizeAnnotation = 'boathook.dev/skip-finalize';
