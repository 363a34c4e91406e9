import type { Decision } from '#releases/decide/snapshot.ts';
import type { ReleaseSpec } from '#releases/decide/release-spec.ts';
import type { StatefulSnapshot } from '#releases/decide/game-stateful-set/snapshot.ts';
import type { NewPods } from '#releases/decide/game-deployment/new-pods.ts';
import type { Resource } from '#kube/resource.ts';
import type { KubeObject } from '#kube/object.ts';

/** What differs between the kinds of workloads. */
export type WorkloadKind = {
  readonly kind: string;
  readonly resource: Resource;
  /** The name of its controller. */
  readonly name: string;
  /** The source component of its events. */
  readonly component: string;
  /** Its pods have PersistentVolumeClaims, and lost nodes matter. */
  readonly hasClaims: boolean;
  decide(snapshot: StatefulSnapshot): Decision;
  /** What the decision reads of the spec. */
  releaseSpec(workload: KubeObject): ReleaseSpec;
  /** The pods of a `create-pods` action. */
  newPods(given: {
    readonly workload: KubeObject;
    readonly revision: KubeObject;
    readonly ids: readonly string[];
    readonly pods: readonly KubeObject[];
  }): NewPods;
};
