import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';

/** Simulated nodes have none of the labels and classes of a real cluster. */
const ofPods = [
  'nodeSelector',
  'nodeName',
  'affinity',
  'topologySpreadConstraints',
  'schedulerName',
  'priorityClassName',
  'runtimeClassName',
] as const;

/** The spec of a workload whose pods fit on simulated nodes, and the fields that were left out for that. */
export function simulatedSpec(spec: JsonObject): {
  readonly spec: JsonObject;
  readonly left: readonly string[];
} {
  const template = isObject(spec['template']) ? spec['template'] : {};
  const pod = isObject(template['spec']) ? template['spec'] : {};
  const claims = isArray(spec['volumeClaimTemplates']) ? spec['volumeClaimTemplates'] : [];
  const left: readonly string[] = [
    ...ofPods.filter((field) => pod[field] !== undefined),
    ...(claims.some(hasClass) ? ['storageClassName'] : []),
  ];
  if (left.length === 0) return { spec, left };
  const kept = Object.fromEntries(Object.entries(pod).filter(([field]) => !left.includes(field)));
  return {
    spec: {
      ...spec,
      template: { ...template, spec: kept },
      ...(claims.length > 0 && { volumeClaimTemplates: claims.map(withoutClass) }),
    },
    left,
  };
}

const specOf = (claim: Json): JsonObject | undefined =>
  isObject(claim) && isObject(claim['spec']) ? claim['spec'] : undefined;

const hasClass = (claim: Json): boolean => specOf(claim)?.['storageClassName'] !== undefined;

function withoutClass(claim: Json): Json {
  const spec = specOf(claim);
  if (spec === undefined || !isObject(claim)) return claim;
  const { storageClassName: _class, ...rest } = spec;
  return { ...claim, spec: rest };
}
