import { isObject, type Json, type JsonObject } from '#base/json.ts';

/** An element of a spec: a leaf, or an object whose members are elements too. */
export type Element = { readonly path: string; readonly value: Json | undefined; readonly isObject: boolean };

const deepest = 64;

/** All elements below `spec`, by path. Lists are leaves. */
export const flatten = (spec: JsonObject): ReadonlyMap<string, Element> =>
  new Map(elementsBelow('spec', spec, 0).map((element) => [element.path, element]));

const elementsBelow = (parent: string, object: JsonObject, depth: number): readonly Element[] =>
  Object.entries(object).flatMap(([key, value]) => {
    const path = `${parent}.${key}`;
    return isObject(value) && depth < deepest
      ? [{ path, value, isObject: true }, ...elementsBelow(path, value, depth + 1)]
      : [{ path, value, isObject: false }];
  });

/** `spec.group.variable3` → `GROUP_VARIABLE3`; camel case is not split. */
export const derivedName = (path: string): string => path.split('.').slice(1).join('_').toUpperCase();
