import { isObject, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { metaOf, nameOf, type KubeObject } from '#kube/object.ts';
import { ownedFields } from './already-applied.ts';

/**
 * The account of pods has two names, `serviceAccountName` and the deprecated `serviceAccount`, and servers copy each to the
 * other. Whoever applies only one cannot take it back: the copy is owned by nobody, and comes back as the first. So both
 * are applied; and where an earlier version applied one, both are emptied.
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

/** Whether the workload names an account that applying without it would not take back. */
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
