import { isArray, isObject, textAt, type Json } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** An object that a pod needs, in its own namespace. */
export type Reference = {
  readonly kind: 'ConfigMap' | 'Secret' | 'ServiceAccount' | 'PersistentVolumeClaim';
  readonly name: string;
};

/** Where a pod names an object, and the members that have its name. */
const places: Readonly<Record<string, readonly [kind: Reference['kind'], ...members: readonly string[]]>> = {
  configMapKeyRef: ['ConfigMap', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  configMap: ['ConfigMap', 'name'],
  secretKeyRef: ['Secret', 'name'],
  secretRef: ['Secret', 'name'],
  // The second one is that of projected volumes.
  secret: ['Secret', 'secretName', 'name'],
  persistentVolumeClaim: ['PersistentVolumeClaim', 'claimName'],
};

/** What an object names that must exist for its pods or calls. */
export function referencesIn(value: KubeObject | Json): readonly Reference[] {
  if (isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === undefined ? [] : (namedAt(key, inner) ?? referencesIn(inner)),
  );
}

function namedAt(key: string, inner: Json): readonly Reference[] | undefined {
  if (key === 'serviceAccountName' && typeof inner === 'string')
    return [{ kind: 'ServiceAccount', name: inner }];
  if (key === 'imagePullSecrets' && isArray(inner))
    return inner.flatMap((each) => namedIn('Secret', [textAt(each, 'name')]));
  const [kind, ...members] = places[key] ?? [];
  if (kind === undefined || !isObject(inner) || inner['optional'] === true) return undefined;
  const named = namedIn(
    kind,
    members.map((member) => textAt(inner, member)),
  );
  return named.length === 0 ? undefined : named;
}

const namedIn = (kind: Reference['kind'], names: readonly (string | undefined)[]): readonly Reference[] =>
  names
    .filter((name) => name !== undefined && name !== '')
    .slice(0, 1)
    .map((name = '') => ({ kind, name }));
