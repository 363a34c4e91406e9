import { isObject, type Json, type JsonObject } from '#base/json.ts';

/** An element of a spec: a leaf, or an object whose members are elements of their own. */
export type Element = { readonly path: string; readonly value: Json | undefined; readonly isObject: boolean };

const deepest = 64;

/** All elements below `spec`, by path. Lists are leaves. */
export function flatten(spec: JsonObject): Map<string, Element> {
  const elements = new Map<string, Element>();
  const visit = (path: string, value: Json, depth: number): void => {
    const isInner = isObject(value) && depth < deepest;
    elements.set(path, { path, value, isObject: isInner });
    if (isInner) for (const [key, each] of Object.entries(value)) visit(`${path}.${key}`, each, depth + 1);
  };
  for (const [key, value] of Object.entries(spec)) visit(`spec.${key}`, value, 0);
  return elements;
}

/** `spec.group.variable3` → `GROUP_VARIABLE3`; camel case is not split. */
export const derivedName = (path: string): string => path.split('.').slice(1).join('_').toUpperCase();
