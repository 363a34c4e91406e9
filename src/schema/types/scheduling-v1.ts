import type { TypePackage } from './type-package.ts';

/** Every type of scheduling.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const schedulingV1: TypePackage = {
  name: 'io.k8s.api.scheduling.v1',
  alias: 'scheduling',
  group: 'scheduling.k8s.io',
  version: 'v1',
  lines: `
PriorityClass kind
 metadata 1 meta.ObjectMeta?
 value 2 int32
 globalDefault 3 bool?
 description 4 string?
 preemptionPolicy 5 *string?<PreemptionPolicy>
PriorityClassList kind
 metadata 1 meta.ListMeta?
 items 2 []PriorityClass
`,
};
