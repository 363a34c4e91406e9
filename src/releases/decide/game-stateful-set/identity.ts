import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { podFromRevision } from '#releases/decide/new-pod.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import { annotationsOf, withMeta, type KubeObject } from '#kube/object.ts';
import { claimNameOf, claimTemplates, placed, podNameOf } from '#kube/workload/stateful-identity.ts';
import { podNameLabel, podOrdinalLabel, surgeAnnotation } from './well-known.ts';

export type PodParts = {
  readonly hasGate: boolean;
  readonly hasFinalizer: boolean;
  readonly isSurge: boolean;
};

export function podFor(
  workload: KubeObject,
  revision: KubeObject,
  ordinal: number,
  { isSurge, ...parts }: PodParts,
): KubeObject {
  const name = podNameOf(workload, ordinal);
  const labels = identityLabels(workload, ordinal);
  const pod = placed(workload, podFromRevision({ workload, revision, name, labels, ...parts }), ordinal);
  return isSurge ? withMeta(pod, { annotations: { ...annotationsOf(pod), [surgeAnnotation]: 'true' } }) : pod;
}

const identityLabels = (set: KubeObject, ordinal: number): Readonly<Record<string, string>> => ({
  [podNameLabel]: podNameOf(set, ordinal),
  [podOrdinalLabel]: String(ordinal),
});

/** A patch that sets the labels of the ordinal and removes the surge annotation of a replica; undefined: no change. */
export function identityPatch(
  set: KubeObject,
  { pod, facts }: ReleasePod,
  ordinal: number,
  isSurge: boolean,
): JsonObject | undefined {
  const isRight =
    facts.labels[podNameLabel] === facts.name && facts.labels[podOrdinalLabel] === String(ordinal);
  const isMarked = !isSurge && textAt(pod, 'metadata', 'annotations', surgeAnnotation) !== undefined;
  if (isRight && !isMarked) return undefined;
  return {
    metadata: {
      ...(isRight ? {} : { labels: identityLabels(set, ordinal) }),
      ...(isMarked ? { annotations: { [surgeAnnotation]: null } } : {}),
    },
  };
}

/** Whether a pod uses the claims of its ordinal. Volumes are immutable: a pod with others must be replaced. */
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
