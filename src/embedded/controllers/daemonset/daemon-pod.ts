import { at, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { podFromTemplate } from '#kube/workload/pod-from-template.ts';
import { annotationsOf, labelsOf, type KubeObject } from '#kube/object.ts';

export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';
const required = 'requiredDuringSchedulingIgnoredDuringExecution';

/** The tolerations of every daemon pod: it stays on nodes that are not ready, under pressure or unschedulable. */
const always: readonly (readonly [string, string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];
const onHostNetwork = ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const;

/** The pod's spec with the tolerations of every daemon pod. */
export function daemonSpec(set: KubeObject): JsonObject {
  const spec = objectAt(set, 'spec', 'template', 'spec') ?? {};
  const rows = at(spec, 'hostNetwork') === true ? [...always, onHostNetwork] : always;
  const tolerations = [...listAt(spec, 'tolerations')];
  for (const [key, effect] of rows) {
    const toleration = { key, operator: 'Exists', effect };
    const known = tolerations.findIndex((each) => isSame(each, toleration));
    if (known >= 0) tolerations[known] = toleration;
    else tolerations.push(toleration);
  }
  return { ...spec, tolerations };
}

const isSame = (left: Json, right: JsonObject): boolean =>
  ['key', 'effect', 'operator'].every((key) => textAt(left, key) === textAt(right, key)) &&
  (textAt(left, 'value') ?? '') === '';

/** The pod for one node: its affinity names the node, and the scheduler does the rest. */
export function daemonPod(set: KubeObject, spec: JsonObject, hash: string, node: string): KubeObject {
  const pod = podFromTemplate(set, objectAt(set, 'spec', 'template'));
  const generation = annotationsOf(set)[generationAnnotation];
  const labels = {
    ...labelsOf(pod),
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [hashLabel]: hash,
  };
  return {
    ...pod,
    metadata: { ...objectAt(pod, 'metadata'), labels },
    spec: { ...spec, affinity: pinned(objectAt(spec, 'affinity') ?? {}, node) },
  };
}

function pinned(affinity: JsonObject, node: string): JsonObject {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const terms = listAt(affinity, 'nodeAffinity', required, 'nodeSelectorTerms');
  const pinnedTerms =
    terms.length === 0 ? [{ matchFields }] : terms.filter(isObject).map((term) => ({ ...term, matchFields }));
  return {
    ...affinity,
    nodeAffinity: { ...objectAt(affinity, 'nodeAffinity'), [required]: { nodeSelectorTerms: pinnedTerms } },
  };
}

/** The node a daemon's pod runs on, or is meant for. */
export function targetNode(pod: KubeObject): string {
  const bound = textAt(pod, 'spec', 'nodeName') ?? '';
  if (bound !== '') return bound;
  const terms = listAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  for (const field of terms.flatMap((term) => listAt(term, 'matchFields'))) {
    const [name] = listAt(field, 'values');
    const isPin = textAt(field, 'key') === 'metadata.name' && textAt(field, 'operator') === 'In';
    if (isPin && typeof name === 'string') return name;
  }
  return '';
}
