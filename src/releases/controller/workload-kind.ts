import type { Decision } from '#releases/decide/snapshot.ts';
import type { StatefulSnapshot } from '#releases/decide/game-stateful-set/snapshot.ts';
import type { NewPods } from '#releases/decide/game-deployment/new-pods.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';

/** What tells one kind of workload from the other. */
export type WorkloadKind = {
  readonly kind: string;
  readonly resource: Resource;
  /** Under which name its controller runs. */
  readonly name: string;
  /** Who is said to have done what its events tell. */
  readonly component: string;
  /** Its pods have claims of their own, and care whether their nodes live. */
  readonly hasClaims: boolean;
  decide(snapshot: StatefulSnapshot): Decision;
  /** The pods of a `create-pods` act. */
  newPods(given: {
    readonly workload: KubeObject;
    readonly revision: KubeObject;
    readonly ids: readonly string[];
    readonly pods: readonly KubeObject[];
  }): NewPods;
};
