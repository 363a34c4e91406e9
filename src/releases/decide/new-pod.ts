import { listAt, objectAt, type JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, stringMap, type KubeObject } from '#kube/object.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import { gateType, preDeleteFinalizer, revisionLabel } from '#releases/model/well-known.ts';

export type NewPod = {
  readonly workload: KubeObject;
  readonly revision: KubeObject;
  readonly name: string;
  /** In addition to those of the template and the revision. */
  readonly labels: Readonly<Record<string, string>>;
  readonly hasGate: boolean;
  readonly hasFinalizer: boolean;
};

/** A pod from the template of a revision, with the readiness gate for in-place updates. */
export function podFromRevision({
  workload,
  revision,
  name,
  labels,
  hasGate,
  hasFinalizer,
}: NewPod): KubeObject {
  const template = templateOf(revision);
  const finalizers = [
    ...listAt(template, 'metadata', 'finalizers'),
    ...(hasFinalizer ? [preDeleteFinalizer] : []),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: namespaceOf(workload),
      labels: {
        ...stringMap(objectAt(template, 'metadata', 'labels')),
        ...labels,
        [revisionLabel]: nameOf(revision),
      },
      annotations: stringMap(objectAt(template, 'metadata', 'annotations')),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ownerReferences: [controllerReference(workload)],
    },
    spec: specOf(template, hasGate),
  };
}

function specOf(template: JsonObject, hasGate: boolean): JsonObject {
  const spec = objectAt(template, 'spec') ?? {};
  const gates = listAt(spec, 'readinessGates');
  const isThere = gates.some((gate) => objectAt(gate)?.['conditionType'] === gateType);
  return hasGate && !isThere ? { ...spec, readinessGates: [...gates, { conditionType: gateType }] } : spec;
}
