import type { KubeObject } from '#kube/object.ts';
import type { Decision, Sight } from '#releases/decide/sight.ts';

/** What is seen of a GameStatefulSet: the claims of its namespace as well. */
export type StatefulSight = Sight & {
  readonly claim: (name: string) => KubeObject | undefined;
};

export type StatefulDecision = Decision & {
  /** Claims that pods which are there still lack; one that exists by now is no trouble. */
  readonly claims: readonly KubeObject[];
};
