import { isObject, type Json } from '#base/json.ts';
import { type FieldSet, inOrder, leaf, type MutableFieldSet } from './field-set.ts';
import { normalElement } from './path-element.ts';

/**
 * Reads FieldsV1 that came from outside into canonical form; undefined when it is not valid. Printing needs
 * no function: a set is already what is stored.
 */
export function parseFieldsV1(json: Json | undefined): FieldSet | undefined {
  if (json === undefined || json === null) return leaf;
  return isObject(json) ? parseNode(json) : undefined;
}

function parseNode(json: { readonly [element: string]: Json }): FieldSet | undefined {
  const members: MutableFieldSet = {};
  for (const [element, below] of Object.entries(json)) {
    if (!isObject(below)) return undefined;
    if (element === '.') {
      members['.'] = leaf;
      continue;
    }
    const normal = normalElement(element);
    if (normal === undefined) return undefined;
    if (normal === '') continue;
    const node = parseNode(below);
    if (node === undefined) return undefined;
    members[normal] = node;
  }
  const count = Object.keys(members).length;
  if (count === 0 || (count === 1 && members['.'] !== undefined)) return leaf;
  return inOrder(members);
}
