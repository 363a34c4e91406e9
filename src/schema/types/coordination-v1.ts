import type { TypePackage } from './type-package.ts';

/** Every type of coordination.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const coordinationV1: TypePackage = {
  name: 'io.k8s.api.coordination.v1',
  alias: 'coordination',
  group: 'coordination.k8s.io',
  version: 'v1',
  lines: `
Lease kind
 metadata 1 meta.ObjectMeta?
 spec 2 LeaseSpec?
LeaseList kind
 metadata 1 meta.ListMeta?
 items 2 []Lease
LeaseSpec
 holderIdentity 1 *string?
 leaseDurationSeconds 2 *int32?
 acquireTime 3 *meta.MicroTime?
 renewTime 4 *meta.MicroTime?
 leaseTransitions 5 *int32?
 strategy 6 *string?<CoordinatedLeaseStrategy>
 preferredHolder 7 *string?
`,
};
