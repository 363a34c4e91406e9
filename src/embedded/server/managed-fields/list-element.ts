import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { ListShape } from '#kube/shape.ts';
import { keyElement } from './path-element.ts';

/** The path element of an item of a set or map list; an error's text when it has none. */
export function listElement(list: ListShape, item: Json): string | { readonly error: string } {
  return list.list === 'map' ? keyedElement(list, item) : valueElement(item);
}

function keyedElement(list: ListShape, item: Json): string | { readonly error: string } {
  if (item === null) return { error: 'associative list with keys may not have a null element' };
  if (!isObject(item)) return { error: 'associative list with keys may not have non-map elements' };
  const keys: [string, Json][] = [];
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : list.keyDefaults[name];
    if (value === undefined) {
      const key = JSON.stringify(name);
      return {
        error: `associative list with keys has an element that omits key field ${key} (and doesn't have default value)`,
      };
    }
    keys.push([name, value]);
  }
  return keyElement(keys);
}

function valueElement(item: Json): string | { readonly error: string } {
  if (isObject(item)) return { error: "associative list without keys has an element that's a map type" };
  if (isArray(item)) return { error: 'not supported: associative list with lists as elements' };
  if (item === null) return { error: "associative list without keys has an element that's an explicit null" };
  return `v:${printJson(item)}`;
}

/** Items by their path elements, in the order of first appearance; items without one are left out. */
export function itemsByElement(
  list: ListShape,
  items: readonly Json[],
): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  for (const item of items) {
    const element = listElement(list, item);
    if (typeof element !== 'string') continue;
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}
