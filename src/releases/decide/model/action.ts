import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** Something said of the workload, or of one of its pods, as an event. */
export type EventNote = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly pod?: KubeObject;
};

/** One thing to do. Each can be done again without harm, and none relies on one before it. */
export type ReleaseAction =
  /** Pods of a GameDeployment; their ids are drawn when they are made. */
  | { readonly type: 'create-pods'; readonly revision: KubeObject; readonly count: number }
  /** A pod of a GameStatefulSet, after its claims. */
  | { readonly type: 'create-pod'; readonly pod: KubeObject; readonly claims: readonly KubeObject[] }
  /** A claim that a pod which is already there lacks. */
  | { readonly type: 'create-claim'; readonly claim: KubeObject }
  | {
      readonly type: 'delete-pod';
      readonly pod: KubeObject;
      /** The event on success is `Successful…`, on refusal `Failed…`. */
      readonly event: string;
      /** With a grace period of 0: its node is lost. */
      readonly isForced?: boolean;
    }
  /** A strategic merge patch of a pod. */
  | {
      readonly type: 'patch-pod';
      readonly pod: KubeObject;
      readonly patch: JsonObject;
      readonly event?: string;
    }
  | { readonly type: 'set-gate'; readonly pod: KubeObject; readonly isOpen: boolean; readonly reason: string }
  /** Shuts the gate, if there is one, and then patches: two writes in this order. */
  | { readonly type: 'begin-in-place'; readonly pod: KubeObject; readonly patch: JsonObject }
  /** Somebody broke the glass: who and why is told, with the manager that wrote it, and the pod may go. */
  | { readonly type: 'break-glass'; readonly pod: KubeObject; readonly person: string; readonly why: string }
  /** The same for a workload that is being deleted, with all of its pods. */
  | { readonly type: 'break-workload-glass'; readonly person: string; readonly why: string }
  | { readonly type: 'create-run'; readonly run: JsonObject }
  | { readonly type: 'terminate-run'; readonly run: KubeObject }
  | { readonly type: 'delete-run'; readonly run: KubeObject };
