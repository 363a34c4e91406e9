import { printJson } from '#base/json-text.ts';
import { hashText } from '#base/hash.ts';
import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { metaOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

export type FingerprintInput = {
  readonly instance: KubeObject;
  readonly children: readonly KubeObject[];
  /** What else was looked at. */
  readonly others: readonly (KubeObject | undefined)[];
  /** Where the hook is. */
  readonly endpointVersion: string;
};

/**
 * Everything that a reconciliation depends on, in few letters. While it stays the same there is nothing to reconcile:
 * neither after a write of our own status nor after a list that brought nothing new (D-15).
 */
export function fingerprintOf({ instance, children, others, endpointVersion }: FingerprintInput): string {
  const { generation, labels, annotations, finalizers, deletionTimestamp } = metaOf(instance);
  const about = [generation, labels, annotations, finalizers, deletionTimestamp].map((each) => each ?? null);
  const versions = children.map(versionOf).sort();
  return hashText(printJson([uidOf(instance), about, versions, others.map(versionOf), endpointVersion]));
}

/**
 * What the hook is asked about: the instance, what it refers to, and its children but for their status. While that is the
 * same, its last answer holds: what the server and other controllers report of the children is no reason to ask again.
 */
export function hookInputHash({ instance, children, others, endpointVersion }: FingerprintInput): string {
  const shapes = children.map(shapeOf).sort();
  return fingerprintOf({
    instance,
    children: [],
    others,
    endpointVersion: `${endpointVersion} ${hashText(shapes.join())}`,
  });
}

/** Written by the controller of Deployments at every rollout. */
const revision = 'deployment.kubernetes.io/revision';

function shapeOf(child: KubeObject): string {
  // Servers and packed children do not have them in the same order; the uid stands for them.
  const { apiVersion: _version, kind: _kind, status: _status, metadata: _metadata, ...rest } = child;
  const { labels = {}, annotations = {}, ownerReferences = [], deletionTimestamp = null } = metaOf(child);
  const { [revision]: _revision, ...notes } = isObject(annotations) ? annotations : {};
  return JSON.stringify([uidOf(child), labels, sorted(notes), ownerReferences, deletionTimestamp, rest]);
}

const sorted = (notes: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(notes).sort(([left], [right]) => (left < right ? -1 : 1));

const versionOf = (object: KubeObject | undefined): string =>
  object === undefined ? '' : `${uidOf(object)} ${resourceVersionOf(object)}`;
