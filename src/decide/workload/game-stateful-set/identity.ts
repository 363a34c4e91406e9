import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { gated } from '#decide/workload/new-pod.ts';
import { labelsOf, type KubeObject } from '#kube/object.ts';
import { claimNameOf, claimTemplates, placed, podNameOf } from '#kube/workload/stateful-identity.ts';
import { podNameLabel, podOrdinalLabel } from './words.ts';

export type PodParts = { readonly hasGate: boolean; readonly hasFinalizer: boolean };

/** The pod of an ordinal as a revision describes it. */
export function podFor(
  workload: KubeObject,
  revision: KubeObject,
  ordinal: number,
  parts: PodParts,
): KubeObject {
  const name = podNameOf(workload, ordinal);
  const pod = gated({ workload, revision, name, labels: identityLabels(workload, ordinal), ...parts });
  return placed(workload, pod, ordinal);
}

const identityLabels = (set: KubeObject, ordinal: number): Readonly<Record<string, string>> => ({
  [podNameLabel]: podNameOf(set, ordinal),
  [podOrdinalLabel]: String(ordinal),
});

/** A patch that gives a pod the labels of its place; undefined when it has them. */
export function identityPatch(set: KubeObject, pod: KubeObject, ordinal: number): JsonObject | undefined {
  const wanted = identityLabels(set, ordinal);
  const labels = labelsOf(pod);
  const isRight = Object.entries(wanted).every(([key, value]) => labels[key] === value);
  return isRight ? undefined : { metadata: { labels: wanted } };
}

/** Whether a pod uses the claims of its place. Volumes of a pod never change: one that does not is replaced. */
export function hasItsVolumes(set: KubeObject, pod: KubeObject, ordinal: number): boolean {
  const templates = claimTemplates(set);
  if (templates.length === 0) return true;
  const claims = new Map(
    listAt(pod, 'spec', 'volumes').map((volume) => [
      textAt(volume, 'name'),
      textAt(volume, 'persistentVolumeClaim', 'claimName'),
    ]),
  );
  return templates.every(
    (template) => claims.get(textAt(template, 'metadata', 'name')) === claimNameOf(set, template, ordinal),
  );
}
