import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';

/** New values of members; undefined removes a member. */
export type Changes = Map<string, Json | undefined>;

/** A copy with some members changed or left out. */
export function withChanges(object: JsonObject, changes: Changes): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key in object) {
    const next = changes.has(key) ? changes.get(key) : object[key];
    if (next !== undefined) putMember(copy, key, next);
  }
  return copy;
}
