import { isObject, without, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { metaOf, nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';
import { conflict, invalidObject, modified } from '#kube/status.ts';
import type { ModelKind } from './model-kinds.ts';

/**
 * Server-side apply without conflicts of managers: members that a manager applied before and leaves out now are removed,
 * all others are merged. Lists are replaced as a whole.
 */
export class ModelApplies {
  readonly #before = new Map<string, JsonObject>();

  applied(live: KubeObject, body: KubeObject, manager: string): KubeObject {
    const key = `${uidOf(live)} ${manager}`;
    const { uid: _uid, resourceVersion: _version, ...metadata } = metaOf(body);
    const plain = { ...body, metadata };
    const patch = withRemovals(this.#before.get(key) ?? {}, plain);
    this.#before.set(key, plain);
    return applyMergePatch(live, patch) as KubeObject;
  }
}

/** An apply that names a uid or a version is for that object only; one that names a version alone may also create it. */
export function checkApplied(kind: ModelKind, body: KubeObject, live: KubeObject | undefined): void {
  const { group, plural: resource } = kind;
  const uid = uidOf(body);
  if (live === undefined) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    if (uid !== '') throw conflict({ group, resource }, nameOf(body), why);
    return;
  }
  const version = resourceVersionOf(body);
  if (version !== '' && version !== resourceVersionOf(live))
    throw modified({ group, resource }, nameOf(live));
  if (uid === '' || uid === uidOf(live)) return;
  const message = `Invalid value: "${uid}": field is immutable`;
  throw invalidObject(kind, nameOf(live), [{ reason: 'FieldValueInvalid', field: 'metadata.uid', message }]);
}

/** The applied body as a merge patch, with nulls for what it no longer has. */
function withRemovals(before: JsonObject, body: JsonObject): JsonObject {
  const patch: MutableJsonObject = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(body, key)) patch[key] = null;
  for (const [key, value] of Object.entries(body)) {
    const old = before[key];
    patch[key] = isObject(value) ? withRemovals(isObject(old) ? old : {}, value) : value;
  }
  return without(patch, '__proto__');
}
