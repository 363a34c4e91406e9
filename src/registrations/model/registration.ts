import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { JsonObject } from '#base/json.ts';
import type { Millis } from '#base/time.ts';

/** A reference to an object. */
export type ObjectReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Not read when the kind is cluster-scoped. */
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

/** The key of a ConfigMap in the namespace of the controller. */
export type ControllerKey = {
  readonly name: string;
  readonly key: string;
  readonly optional: boolean;
};

/** The content of a variable. */
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
  /** A path in the instance; the name itself for added volumes. */
  readonly object: string;
  readonly items: readonly VolumeItem[] | undefined;
  readonly defaultMode: number | undefined;
  readonly optional: boolean | undefined;
};

export type VolumeItem = {
  /** A path in the instance; the key itself for added volumes. */
  readonly key: string;
  readonly path: string;
  readonly mode: number | undefined;
};

/** How one element of an instance becomes a variable or a volume. */
export type ParameterRule = {
  readonly name?: string;
  /** Replaces the value in the instance. */
  readonly fixed?: string;
  readonly fallback?: EnvContent;
  readonly from?: RuleSource;
  readonly volume?: VolumeRule;
};

export type HookAddress = {
  readonly uri: string | undefined;
  /** The namespace is empty when the registration gives none. */
  readonly ref: ObjectReference | undefined;
};

export type SecretKey = { readonly name: string; readonly key: string };

/** Secrets and ConfigMaps are in the namespace of the controller. */
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
    /** The Secret with username and password. */
    readonly basic: string | undefined;
    readonly hmac: SecretKey | undefined;
  };
};

export type GateSpec = {
  readonly templateName: string;
  readonly args: readonly { readonly name: string; readonly value: string }[];
};

/** A decoded registration, independent of the spelling of its fields. */
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

/** The namespace and the DNS domain of the controller. */
export type ControllerEnvironment = {
  /** For hook addresses, Secrets and ConfigMaps without a namespace. */
  readonly namespace: string;
  /** `cluster.local` */
  readonly clusterDomain: string;
};

export const finalizer = 'scoby.triggermesh.io/finalizer';
/** The field manager of everything that is applied. */
export const fieldManager = 'boathook-registration';
/** "true" pauses the instance; its deletion is blocked, too. */
export const pausedAnnotation = 'boathook.dev/paused';
/** "true" deletes the instance without calling the hook. */
export const skipFinalizeAnnotation = 'boathook.dev/skip-finalize';
