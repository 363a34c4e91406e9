import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';

/** Objects of one kind. */
export type KindTrace = {
  /** As kubectl takes it: `gamedeployments.tkex.tencent.com`. */
  readonly name: string;
  readonly kind: string;
  readonly count: number;
};

/** An object with a finalizer of ours: it cannot be deleted while no controller removes it. */
export type FinalizedObject = {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly finalizers: readonly string[];
};

export type LeaderTrace = { readonly holder: string; readonly renewTime: string };

/** What Boathook has in a cluster. */
export type Traces = {
  /** Where the controllers are installed. */
  readonly namespace: string;
  readonly isInstalled: boolean;
  /** The process that holds a Lease and has renewed it a moment ago. */
  readonly leader: LeaderTrace | undefined;
  readonly kinds: readonly KindTrace[];
  /** Pods of GameDeployments and GameStatefulSets. */
  readonly podCount: number;
  readonly finalized: readonly FinalizedObject[];
  /** Roles that users have applied beside the installation: `RoleBinding NAMESPACE/NAME`. */
  readonly grants: readonly string[];
};
