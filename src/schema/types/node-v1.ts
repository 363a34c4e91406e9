import type { TypePackage } from './type-package.ts';

/** Every type of node.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const nodeV1: TypePackage = {
  name: 'io.k8s.api.node.v1',
  alias: 'node',
  group: 'node.k8s.io',
  version: 'v1',
  lines: `
Overhead
 podFixed 1 {}resource.Quantity?<=ResourceList>
RuntimeClass kind
 metadata 1 meta.ObjectMeta?
 handler 2 string
 overhead 3 *Overhead?
 scheduling 4 *Scheduling?
RuntimeClassList kind
 metadata 1 meta.ListMeta?
 items 2 []RuntimeClass
Scheduling
 nodeSelector 1 {}string? =atomic
 tolerations 2 []core.Toleration? =atomic
`,
};
