import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ReleaseAction, EventNote } from './model/action.ts';
import type { DisruptionBudget } from './disruption-budgets.ts';

/** What is seen of a workload at one look, whichever kind it is. */
export type WorkloadSnapshot = {
  readonly workload: KubeObject;
  /** The revision of the template as it stands. */
  readonly updateRevision: KubeObject;
  /** All of its revisions, that one included. */
  readonly revisions: readonly KubeObject[];
  /** All of its pods, finished and terminating ones included. */
  readonly pods: readonly KubeObject[];
  /** HookRuns that it owns and that are not being deleted. */
  readonly runs: readonly KubeObject[];
  /** Whether some HookRun of the namespace has this name. */
  readonly isRunName: (name: string) => boolean;
  readonly template: (name: string) => HookTemplate | undefined;
  readonly node: (name: string) => KubeObject | undefined;
  /** The namespace is being deleted: no HookRun can be created in it. */
  readonly isNamespaceEnding: boolean;
  /** The PodDisruptionBudgets of the namespace. */
  readonly budgets: readonly DisruptionBudget[];
  /** The address of the machine that this process runs on; empty where nobody has said. */
  readonly hostIP: string;
  readonly now: Instant;
};

/** What follows from it. Acts come first, then the spec, then the status, each on top of the other. */
export type Decision = {
  readonly actions: readonly ReleaseAction[];
  readonly notes: readonly EventNote[];
  /** A merge patch of the spec; undefined where it stays as it is. */
  readonly spec: JsonObject | undefined;
  readonly status: JsonObject;
  /** What the finalizers of the workload shall be; undefined where they stay. */
  readonly finalizers: readonly string[] | undefined;
  readonly wakeAt: Instant | undefined;
  /** A PodDisruptionBudget holds an update back: a change of it is a reason to reconcile. */
  readonly isWaitingForBudget: boolean;
};
