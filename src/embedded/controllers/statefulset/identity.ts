import { numberAt, objectAt, type JsonObject } from '#base/json.ts';
import { labelsOf, withMeta, type KubeObject } from '#kube/object.ts';
import { podFromTemplate } from '#kube/workload/pod-from-template.ts';
import { claimsFor as claimsOf, placed, podNameOf } from '#kube/workload/stateful-identity.ts';
import { setClaimOwners } from './claim-owners.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';
export const revisionLabel = 'controller-revision-hash';

/** A revision of the set: its name, and the template it keeps. */
export type Revision = { readonly name: string; readonly template: JsonObject };

export const firstOrdinal = (set: KubeObject): number => numberAt(set, 'spec', 'ordinals', 'start') ?? 0;

export function statefulPod(set: KubeObject, revision: Revision, ordinal: number): KubeObject {
  const pod = placed(set, podFromTemplate(set, revision.template), ordinal);
  const labels = { ...labelsOf(pod), ...identityLabels(set, ordinal), [revisionLabel]: revision.name };
  return withMeta(pod, { labels });
}

const identityLabels = (set: KubeObject, ordinal: number): Record<string, string> => ({
  [podNameLabel]: podNameOf(set, ordinal),
  [podIndexLabel]: String(ordinal),
});

/** The claims a pod of this ordinal needs. */
export const claimsFor = (set: KubeObject, ordinal: number): readonly KubeObject[] =>
  claimsOf(set, ordinal).map((claim) => withMeta(claim, setClaimOwners(set)));

/** The pod with the labels of its identity; undefined when it has them. */
export function relabelled(set: KubeObject, pod: KubeObject, ordinal: number): KubeObject | undefined {
  const labels = labelsOf(pod);
  const wanted = identityLabels(set, ordinal);
  if (Object.entries(wanted).every(([key, value]) => labels[key] === value)) return undefined;
  return { ...pod, metadata: { ...objectAt(pod, 'metadata'), labels: { ...labels, ...wanted } } };
}
