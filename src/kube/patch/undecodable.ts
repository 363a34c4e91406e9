import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { type ApiError, badRequest } from '#kube/status.ts';

/** The refusal of a patch that is not even of the right type. */
export const badPatch = (why: string): ApiError => badRequest(`error decoding patch: ${why}`);

/** How a real server's decoder names the type of a JSON value. */
export function goTypeOfJson(value: Json): string {
  if (isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  return value === null ? 'null' : typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Merge and strategic patches must be objects. */
export function objectPatch(patch: Json): JsonObject {
  if (isObject(patch)) return patch;
  if (patch === null) return {};
  throw badPatch(
    `json: cannot unmarshal ${goTypeOfJson(patch)} into Go value of type map[string]interface {}`,
  );
}
