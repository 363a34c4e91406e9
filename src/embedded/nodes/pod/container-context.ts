import type { Instant } from '#base/time.ts';
import type { ContainerScript, Settings } from '#embedded/nodes/tuning/script.ts';
import type { ContainerStatus } from './container-status.ts';
import type { ContainerSpec, KubeletPod } from './kubelet-pod.ts';

/** Where a container is on its way. What its status cannot tell is remembered, and guessed after a restart. */
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
  /** When the present run began, more exactly than the status says. */
  readonly startedAt: Instant;
  /** Failed pulls of this image in a row. */
  readonly pulls: number;
  /** The restart count at which the row of failures began. */
  readonly base: number;
  readonly tallies: { readonly [name in ProbeName]?: ProbeTally };
  readonly stop: StopReason | undefined;
};

/** What a container should do as a part of its pod. */
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

/** Something to tell people; `routine` is the ordinary course of things. */
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
  /** Others must see this before anything else happens. */
  readonly shown?: boolean;
};

/** One row of the life of a container: at a step, under a condition, after a while, something happens. */
export type StageTransition = {
  readonly name: string;
  readonly at: ContainerStage;
  readonly given: (context: ContainerContext) => boolean;
  /** When it happens; undefined while nobody can say. */
  readonly due: (context: ContainerContext) => Instant | undefined;
  readonly effect: (context: ContainerContext) => StageEffect;
};
