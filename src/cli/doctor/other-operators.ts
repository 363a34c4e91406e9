import type { Instant } from '#base/time.ts';

/** An operator of others for kinds that we share, and the lock by which it elects a leader. */
export type OtherOperator = {
  readonly name: string;
  readonly kinds: string;
  readonly namespace: string;
  /** Name of its Lease, or of its Endpoints in older versions. */
  readonly lock: string;
};

export const otherOperators: readonly OtherOperator[] = [
  {
    name: 'bcs-gamedeployment-operator',
    kinds: 'GameDeployments',
    namespace: 'bcs-system',
    lock: 'gamedeployment',
  },
  {
    name: 'bcs-gamestatefulset-operator',
    kinds: 'GameStatefulSets',
    namespace: 'bcs-system',
    lock: 'gamestatefulset',
  },
  { name: 'bcs-hook-operator', kinds: 'HookRuns', namespace: 'bcs-system', lock: 'bcs-hook-operator' },
];

/** What was found of other controllers. */
export type OtherTraces = {
  /** Operators whose leader has renewed its lock a moment ago. */
  readonly leaders: readonly { readonly operator: OtherOperator; readonly holder: string }[];
  /** Leases of other installations of Boathook that are renewed, as `NAMESPACE/NAME`. */
  readonly installations: readonly string[];
  /** Objects whose status another field manager has written after ours. */
  readonly writes: readonly {
    readonly object: string;
    readonly manager: string;
    readonly time: Instant;
  }[];
  /** Admission webhooks of others for our kinds, as `KIND NAME`. */
  readonly webhooks: readonly string[];
  /** Services that serve a group of ours instead of its CustomResourceDefinitions, as `GROUP by NAMESPACE/NAME`. */
  readonly services: readonly string[];
};
