import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';

/** An object without its undefined members. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const defined: MutableJsonObject = {};
  for (const [name, value] of Object.entries(members))
    if (value !== undefined) putMember(defined, name, value);
  return defined;
}

export const listOrUndefined = (list: readonly Json[]): Json | undefined =>
  list.length === 0 ? undefined : list;
