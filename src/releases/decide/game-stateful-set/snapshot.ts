import type { KubeObject } from '#kube/object.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';

/** What is seen of a GameStatefulSet: the claims of its namespace as well. */
export type StatefulSnapshot = WorkloadSnapshot & {
  readonly claim: (name: string) => KubeObject | undefined;
};

export type GameStatefulSetDecision = Decision & {
  /** Claims that pods which are there still lack; one that exists by now is no trouble. */
  readonly claims: readonly KubeObject[];
};
