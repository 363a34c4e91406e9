import { printJson } from '#base/json-text.ts';
import { hashText } from '#base/hash.ts';
import { isObject, type Json, type JsonObject } from '#base/json.ts';
import type { InstanceSnapshot } from '#registrations/decide/cycle.ts';
import { metaOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';

/** The parts of a snapshot that a reconciliation depends on. */
export type FingerprintInput = Pick<InstanceSnapshot, 'instance' | 'live' | 'references' | 'gate'>;

/**
 * A hash of everything that a reconciliation depends on. While it stays the same there is nothing to reconcile: neither
 * after a write of our own status nor after a list without changes.
 */
export function fingerprintOf(
  { instance, live, references, gate }: FingerprintInput,
  endpointVersion: string,
): string {
  const { generation, labels, annotations, finalizers, deletionTimestamp } = metaOf(instance);
  const about = [generation, labels, annotations, finalizers, deletionTimestamp].map((each) => each ?? null);
  const versions = live.map(versionOf).sort();
  const others = [...references.values(), gate?.template, gate?.run].map(versionOf);
  return hashText(printJson([uidOf(instance), about, versions, others, endpointVersion]));
}

/**
 * A hash of the input of the hook: the instance, what it refers to, and its children without their status. While it
 * stays the same the last answer is valid: a changed status of a child needs no call.
 */
export function hookInputHash(
  { instance, live, references }: FingerprintInput,
  endpointVersion: string,
): string {
  const shapes = live.map(shapeOf).sort();
  return fingerprintOf({ instance, live: [], references }, `${endpointVersion} ${hashText(shapes.join())}`);
}

/** The Deployment controller writes it at every rollout. */
const revision = 'deployment.kubernetes.io/revision';

function shapeOf(child: KubeObject): string {
  // Servers and packed children order these members differently; the uid identifies the child.
  const { apiVersion: _version, kind: _kind, status: _status, metadata: _metadata, ...rest } = child;
  const { labels = {}, annotations = {}, ownerReferences = [], deletionTimestamp = null } = metaOf(child);
  const { [revision]: _revision, ...notes } = isObject(annotations) ? annotations : {};
  return JSON.stringify([uidOf(child), labels, sorted(notes), ownerReferences, deletionTimestamp, rest]);
}

const sorted = (notes: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(notes).sort(([left], [right]) => (left < right ? -1 : 1));

const versionOf = (object: KubeObject | undefined): string =>
  object === undefined ? '' : `${uidOf(object)} ${resourceVersionOf(object)}`;
