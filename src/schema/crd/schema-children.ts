import { nameInPath } from '#kube/field-error.ts';
import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';

/** A schema inside of another, and its path. */
export type Child = { readonly schema: JsonObject; readonly path: string };

/** The schemas of named members, such as `properties[a]`. */
export function namedChildren(
  schema: JsonObject,
  keyword: string,
  path: string,
): readonly (Child & { readonly name: string })[] {
  const members = schema[keyword];
  if (!isObject(members)) return [];
  return Object.entries(members).flatMap(([name, each]) =>
    isObject(each) ? [{ schema: each, path: `${path}.${keyword}[${nameInPath(name)}]`, name }] : [],
  );
}

/** The schemas of a list, such as `anyOf[0]`. */
export function listedChildren(schema: JsonObject, keyword: string, path: string): readonly Child[] {
  const list = schema[keyword];
  if (!isArray(list)) return [];
  return list.flatMap((each, i) =>
    isObject(each) ? [{ schema: each, path: `${path}.${keyword}[${i}]` }] : [],
  );
}

/** The one schema of a keyword, such as `items`. */
export function onlyChild(schema: JsonObject, keyword: string, path: string): readonly Child[] {
  const each: Json | undefined = schema[keyword];
  return isObject(each) ? [{ schema: each, path: `${path}.${keyword}` }] : [];
}
