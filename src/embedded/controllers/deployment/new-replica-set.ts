import { listAt, objectAt, type JsonObject } from '#base/json.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { annotationsOf, nameOf, namespaceOf, stringMap, type KubeObject } from '#kube/object.ts';
import type { DeploymentSpec } from './deployment-spec.ts';
import { desiredKey, historyKey, maxKey, revisionKey, revisionOf } from './replica-set-view.ts';
import { hashLabel, templateHash } from './template-hash.ts';

/** Annotations of a deployment that its replica sets do not take over. */
const ownAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionKey,
  historyKey,
  desiredKey,
  maxKey,
]);
/** A longer history loses its oldest entries. */
const longestHistory = 2000;

export type WantedReplicaSet = {
  readonly deployment: KubeObject;
  readonly spec: DeploymentSpec;
  readonly revision: number;
};

/** The replica set for a template that has none yet. */
export function newReplicaSet(
  wanted: WantedReplicaSet,
  replicas: number,
  collisions: number | undefined,
): KubeObject {
  const { deployment, spec, revision } = wanted;
  const template = objectAt(deployment, 'spec', 'template') ?? {};
  const hash = templateHash(template, collisions);
  const labels = { ...stringMap(objectAt(template, 'metadata', 'labels')), [hashLabel]: hash };
  const expressions = listAt(deployment, 'spec', 'selector', 'matchExpressions');
  const matchLabels = {
    ...stringMap(objectAt(deployment, 'spec', 'selector', 'matchLabels')),
    [hashLabel]: hash,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: {
        ...inherited(deployment),
        [revisionKey]: String(revision),
        ...replicaAnnotations(spec),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds === 0 ? {} : { minReadySeconds: spec.minReadySeconds }),
      selector: { matchLabels, ...(expressions.length === 0 ? {} : { matchExpressions: expressions }) },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  };
}

export const replicaAnnotations = ({ replicas, maxSurge }: DeploymentSpec): Record<string, string> => ({
  [desiredKey]: String(replicas),
  [maxKey]: String(replicas + maxSurge),
});

const inherited = (deployment: KubeObject): Record<string, string> =>
  Object.fromEntries(Object.entries(annotationsOf(deployment)).filter(([key]) => !ownAnnotations.has(key)));

/** The annotations of the current replica set as they should be: those of the deployment, and its revision. */
function currentAnnotations(set: KubeObject, wanted: WantedReplicaSet): Readonly<Record<string, string>> {
  const before = annotationsOf(set);
  const after = { ...before, ...inherited(wanted.deployment) };
  const old = revisionOf(set);
  if (old >= wanted.revision) return after;
  after[revisionKey] = String(wanted.revision);
  const text = before[revisionKey] ?? '';
  if (text !== '') after[historyKey] = lengthened(before[historyKey] ?? '', text);
  return after;
}

function lengthened(history: string, revision: string): string {
  const entries = history === '' ? [] : history.split(',');
  if (entries.includes(revision)) return history;
  entries.push(revision);
  while (entries.length > 1 && entries.join(',').length > longestHistory) entries.shift();
  return entries.join(',');
}

/** The state of the current replica set after its annotations and its readiness time were brought up to date. */
export function refreshed(set: KubeObject, wanted: WantedReplicaSet): KubeObject | undefined {
  const annotations = currentAnnotations(set, wanted);
  const before = annotationsOf(set);
  const setSpec: JsonObject = objectAt(set, 'spec') ?? {};
  const isSame =
    (setSpec['minReadySeconds'] ?? 0) === wanted.spec.minReadySeconds &&
    Object.keys(annotations).length === Object.keys(before).length &&
    Object.entries(annotations).every(([key, value]) => before[key] === value);
  if (isSame) return undefined;
  return {
    ...set,
    metadata: { ...objectAt(set, 'metadata'), annotations },
    spec: { ...setSpec, minReadySeconds: wanted.spec.minReadySeconds },
  };
}
