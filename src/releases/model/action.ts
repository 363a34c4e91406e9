import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** An event about the workload, or about one of its pods. */
export type EventNote = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly pod?: KubeObject;
  /** A user requested what happened. */
  readonly isRequested?: true;
} & Counted;

/** Depends on the number of pods: it waits until informers show all pods that this process created and deleted. */
export type Counted = { readonly isCounted?: true };

/** One write. Each is idempotent and independent of the others. */
export type ReleaseAction =
  /** Pods of a GameDeployment; their ids are chosen when they are created. */
  | { readonly type: 'create-pods'; readonly revision: KubeObject; readonly count: number }
  /** A pod of a GameStatefulSet, after its claims. */
  | { readonly type: 'create-pod'; readonly pod: KubeObject; readonly claims: readonly KubeObject[] }
  /** A missing claim of an existing pod. */
  | { readonly type: 'create-claim'; readonly claim: KubeObject }
  | {
      readonly type: 'delete-pod';
      readonly pod: KubeObject;
      /** The event has this reason with the prefix `Successful` or `Failed`. */
      readonly event: string;
      /** With a grace period of 0, because its node is lost: not done unless the API server says so too. */
      readonly isForced?: boolean;
    }
  /** A strategic merge patch of a pod. */
  | ({
      readonly type: 'patch-pod';
      readonly pod: KubeObject;
      readonly patch: JsonObject;
      readonly event?: string;
    } & Counted)
  | { readonly type: 'set-gate'; readonly pod: KubeObject; readonly isOpen: boolean; readonly reason: string }
  /** Closes the gate, if there is one, and then patches: two writes in this order. */
  | { readonly type: 'begin-in-place'; readonly pod: KubeObject; readonly patch: JsonObject }
  /** Removes the finalizer of a pod and records who wrote the break-glass annotation, and why. */
  | { readonly type: 'break-glass'; readonly pod: KubeObject; readonly person: string; readonly why: string }
  /** Records the same for a workload that is being deleted. */
  | { readonly type: 'break-workload-glass'; readonly person: string; readonly why: string }
  | ({ readonly type: 'create-run'; readonly run: JsonObject } & Counted)
  | { readonly type: 'terminate-run'; readonly run: KubeObject }
  | { readonly type: 'delete-run'; readonly run: KubeObject };
