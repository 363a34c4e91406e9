import type { JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { TuningTexts } from '#embedded/nodes/tuning/annotations.ts';
import type { Settings } from '#embedded/nodes/tuning/script.ts';
import type { Host, ContainerMemory, PodEvent } from './container-context.ts';
import type { KubeletPod } from './kubelet-pod.ts';

/** Memory of a pod's containers, by name. Restarts and exits survive its loss, since the status holds them. */
export type SimState = Readonly<Record<string, ContainerMemory>>;

export type LogEntry = { readonly container: string; readonly restartCount: number; readonly line: string };
export type LifecycleHookCall = { readonly container: string; readonly hook: 'postStart' | 'preStop' };

export type PodSyncInput = {
  readonly view: KubeletPod;
  readonly state: SimState;
  readonly settings: Settings;
  /** Settings from rules; the pod's own annotations override them. */
  readonly rules: TuningTexts;
  readonly host: Host;
  readonly now: Instant;
};

/** What a kubelet does with a pod now: at most one status write, then perhaps its removal. */
export type PodSyncResult = {
  /** Undefined when the status is right as it is. */
  readonly status: JsonObject | undefined;
  readonly remove: boolean;
  /** The names of the transitions, in order. */
  readonly rows: readonly string[];
  readonly events: readonly PodEvent[];
  readonly logs: readonly LogEntry[];
  readonly hooks: readonly LifecycleHookCall[];
  readonly wakeAt: Instant | undefined;
  readonly state: SimState;
};
