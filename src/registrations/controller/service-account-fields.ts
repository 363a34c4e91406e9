import { isObject, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { metaOf, nameOf, type KubeObject } from '#kube/object.ts';
import { ownedFields } from './already-applied.ts';

/**
 * The service account of a pod has two fields, `serviceAccountName` and the deprecated `serviceAccount`. The server
 * copies each to the other. After applying only one of them it cannot be removed: no manager owns the copy, and the
 * server restores the first from it. So both are applied, and both are emptied where an earlier version applied one.
 */
export function withServiceAccountFields(wanted: KubeObject, live: KubeObject | undefined): KubeObject {
  const spec = podSpecOf(wanted);
  if (spec === undefined) return wanted;
  const name = textAt(spec, 'serviceAccountName');
  if (name !== undefined) return withPodSpec(wanted, { serviceAccount: name, ...spec });
  if (textAt(spec, 'serviceAccount') !== undefined || live === undefined) return wanted;
  return isLeftBehind(live, nameOf(wanted))
    ? withPodSpec(wanted, { ...spec, serviceAccountName: '', serviceAccount: '' })
    : wanted;
}

/** Whether the live workload has a service account that an apply without the fields would not remove. */
function isLeftBehind(live: KubeObject, ownName: string): boolean {
  const there = podSpecOf(live);
  const left = textAt(there, 'serviceAccountName') ?? textAt(there, 'serviceAccount') ?? '';
  const owned = ownedPodSpec(live) ?? {};
  if (left === '' || owned['f:serviceAccount'] !== undefined) return false;
  return left === ownName || owned['f:serviceAccountName'] !== undefined;
}

const podSpecOf = (object: KubeObject): JsonObject | undefined =>
  objectAt(object, 'spec', 'template', 'spec');

function withPodSpec(object: KubeObject, podSpec: JsonObject): KubeObject {
  const spec = objectAt(object, 'spec') ?? {};
  return { ...object, spec: { ...spec, template: { ...objectAt(spec, 'template'), spec: podSpec } } };
}

function ownedPodSpec(live: KubeObject): JsonObject | undefined {
  const kept = metaOf(live)['managedFields'];
  const owned = typeof kept === 'string' ? parseJson(kept) : ownedFields(live);
  return isObject(owned) ? objectAt(owned, 'f:spec', 'f:template', 'f:spec') : undefined;
}
