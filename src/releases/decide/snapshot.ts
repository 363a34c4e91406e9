import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ReleaseAction, EventNote } from '#releases/model/action.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import type { DisruptionBudget } from './disruption-budgets.ts';

/** What a decision depends on. */
export type WorkloadSnapshot = {
  readonly workload: KubeObject;
  /** The revision of the template. */
  readonly updateRevision: KubeObject;
  /** All its revisions, including the update revision. */
  readonly revisions: readonly KubeObject[];
  /** All its pods, including finished and terminating ones. */
  readonly pods: readonly KubeObject[];
  /** Pods that this process created or deleted are missing in `pods`, or still there. Default: false. */
  readonly isBehind?: boolean;
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
  /** The address of the machine that runs the controller; empty when it is not configured. */
  readonly hostIP: string;
  readonly now: Instant;
};

/** The controller applies the actions first, then writes the spec, then the status. */
export type Decision = {
  readonly actions: readonly ReleaseAction[];
  readonly notes: readonly EventNote[];
  /** A merge patch of the spec; undefined: no change. */
  readonly spec: JsonObject | undefined;
  readonly status: JsonObject;
  /** Annotations of the workload; undefined: no change. */
  readonly annotations: Readonly<Record<string, string | null>> | undefined;
  /** The finalizers of the workload; undefined: no change. */
  readonly finalizers: readonly string[] | undefined;
  readonly wakeAt: Instant | undefined;
  /** A PodDisruptionBudget stops an update: a change of it starts a reconcile. */
  readonly isWaitingForBudget: boolean;
  /** Everything that the release waits for, in the order in which it was found; the status names one of them. */
  readonly blockers: readonly Blocker[];
};
