import type { Instant } from '#base/time.ts';
import type { ContainerScript, Settings } from '#embedded/nodes/tuning/script.ts';
import type { ContainerStatus } from './container-status.ts';
import type { ContainerSpec, KubeletPod } from './kubelet-pod.ts';

/** The stage of a container. What its status does not show is kept in memory, and estimated after a restart. */
export type ContainerStage =
  | 'waiting'
  | 'pulling'
  | 'pull-failed'
  | 'pull-back-off'
  | 'bad-name'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'signalled'
  | 'ended'
  | 'back-off';

export type StopReason = 'pod' | 'changed' | 'liveness' | 'startup' | 'finished';

/** What a probe found last, and how often in a row. */
export type ProbeTally = { readonly at: Instant; readonly good: boolean; readonly count: number };
export type ProbeName = 'startup' | 'readiness' | 'liveness';

export type ContainerMemory = {
  readonly step: ContainerStage;
  readonly since: Instant;
  /** When the present run began, more exactly than in the status. */
  readonly startedAt: Instant;
  /** Failed pulls of this image in a row. */
  readonly pulls: number;
  /** The restart count at which the present series of failures began. */
  readonly base: number;
  readonly tallies: { readonly [name in ProbeName]?: ProbeTally };
  readonly stop: StopReason | undefined;
};

/** The desired state of a container as part of its pod. */
export type DesiredState = 'run' | 'hold' | 'stop';

/** The node as its containers see it. */
export type Host = {
  readonly hostIp: string;
  readonly podIp: string;
  hasImage(image: string): boolean;
  /** It can give a running container another image without a restart. */
  readonly hotPatches: boolean;
};

/** Everything a stage may look at. */
export type ContainerContext = {
  readonly now: Instant;
  readonly view: KubeletPod;
  readonly host: Host;
  readonly settings: Settings;
  readonly container: ContainerSpec;
  readonly script: ContainerScript;
  readonly status: ContainerStatus;
  readonly memory: ContainerMemory;
  readonly desired: DesiredState;
};

/** An event to record; `routine` events belong to the normal course. */
export type PodEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly routine: boolean;
  /** The container it is about. */
  readonly container?: string;
};

export type StageEffect = {
  readonly status?: Partial<ContainerStatus>;
  readonly memory: Partial<ContainerMemory> & { readonly step?: ContainerStage };
  readonly events?: readonly PodEvent[];
  readonly logs?: readonly string[];
  readonly hook?: 'postStart' | 'preStop';
  /** This status must be written before the next stage. */
  readonly shown?: boolean;
};

/** One transition of a container: from a stage, under a condition, at a time, with an effect. */
export type StageTransition = {
  readonly name: string;
  readonly at: ContainerStage;
  readonly given: (context: ContainerContext) => boolean;
  /** When it happens; undefined while that is not known. */
  readonly due: (context: ContainerContext) => Instant | undefined;
  readonly effect: (context: ContainerContext) => StageEffect;
};
