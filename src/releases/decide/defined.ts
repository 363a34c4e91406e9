import type { Json, JsonObject } from '#base/json.ts';

/** An object without its undefined members. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

export const listOrUndefined = (list: readonly Json[]): Json | undefined =>
  list.length === 0 ? undefined : list;
