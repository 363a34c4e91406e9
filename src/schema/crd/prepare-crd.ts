import { isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';

/** The status of a definition that no controller has looked at yet. */
export function initialCrdStatus(crd: KubeObject): JsonObject {
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storedWith(null, crd),
  };
}

/** A definition about to be created: whatever status came with it is reset. */
export function prepareCrdCreate(crd: KubeObject): KubeObject {
  return { ...crd, status: initialCrdStatus(crd) };
}

/** A definition about to be updated: the stored status stays, and remembers the storage version. */
export function prepareCrdUpdate(crd: KubeObject, old: KubeObject): KubeObject {
  const status = isObject(old['status']) ? old['status'] : initialCrdStatus(old);
  const storedVersions = storedWith(status['storedVersions'] ?? null, crd);
  return { ...crd, status: { ...status, storedVersions } };
}

/** An update through the status subresource: only the status is taken over. */
export function prepareCrdStatusUpdate(crd: KubeObject, old: KubeObject): KubeObject {
  const { managedFields, resourceVersion } = metaOf(crd);
  const metadata = {
    ...metaOf(old),
    ...(managedFields === undefined ? {} : { managedFields }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return { ...crd, metadata, spec: old['spec'] ?? {} };
}

function storedWith(stored: Json, crd: KubeObject): Json {
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const name = versions.find((each) => each['storage'] === true)?.['name'];
  if (typeof name !== 'string') return stored;
  const known = Array.isArray(stored) ? (stored as readonly Json[]) : [];
  return known.includes(name) ? known : [...known, name];
}
