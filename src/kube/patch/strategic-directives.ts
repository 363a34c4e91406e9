import { isArray, isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';

export const directive = '$patch';
export const retainKeys = '$retainKeys';
export const elementOrder = '$setElementOrder';
export const deleteFromList = '$deleteFromPrimitiveList';

/** The field that a directive such as `$setElementOrder/containers` speaks of. */
export function directedField(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

const isDirective = (key: string): boolean =>
  key === directive || key === retainKeys || key.startsWith(elementOrder) || key.startsWith(deleteFromList);

/** A value of a patch that meets nothing to be merged with: without directives, nulls and deleted items. */
export function plainValue(value: Json): Json {
  if (isArray(value)) return value.filter((item) => !isDeletion(item)).map(plainValue);
  if (!isObject(value)) return value;
  const result: MutableJsonObject = {};
  for (const [key, each] of Object.entries(value)) {
    if (each !== null && !isDirective(key) && !isDeletion(each)) putMember(result, key, plainValue(each));
  }
  return result;
}

/** The directive that stands in a map, which concerns the whole of it. */
export const directiveOf = (patch: JsonObject): Json | undefined =>
  Object.hasOwn(patch, directive) ? patch[directive] : undefined;

export const isDeletion = (value: Json): boolean => isObject(value) && directiveOf(value) === 'delete';
