import { isObject, without, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { metaOf, uidOf, type KubeObject } from '#kube/object.ts';
import { applyMergePatch } from '#kube/patch/merge.ts';

/**
 * Server-side apply without conflicts: members that a manager applied before and leaves out now are removed, all others
 * are merged. Lists are replaced as a whole.
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
