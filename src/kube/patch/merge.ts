import { isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';

/**
 * RFC 7386: members of the patch replace, nulls delete, anything that is not an object replaces the whole.
 * Gives back the document itself when nothing changes, and shares what it can otherwise.
 */
export function applyMergePatch(document: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const source = isObject(document) ? document : nothing;
  let result: MutableJsonObject | undefined;
  for (const key of Object.keys(patch)) {
    const before = Object.hasOwn(source, key) ? source[key] : undefined;
    const change = patch[key] ?? null;
    const after = change === null ? undefined : applyMergePatch(before, change);
    if (after === before) continue;
    result ??= { ...source };
    if (after === undefined) delete result[key];
    else putMember(result, key, after);
  }
  return result ?? (isObject(document) ? document : {});
}

const nothing: JsonObject = {};
