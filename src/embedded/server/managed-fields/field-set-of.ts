import { isObject, type Json, type JsonObject } from '#base/json.ts';
import type { ListShape, Shape } from '#kube/shape.ts';
import { emptySet, type FieldSet, inOrder, leaf, type MutableFieldSet, nodeOf } from './field-set.ts';
import { itemsByElement } from './list-element.ts';
import { isDeclared, memberShape, viewOf } from './shape-below.ts';

/**
 * The fields that the manager who applies this object owns: its leaves, the items of its lists, and the keys of its
 * maps; not the declared fields on the way there, unless they are empty or null.
 */
export function fieldSetOf(shape: Shape, object: Json): FieldSet {
  return ownedBelow(shape, object) ?? emptySet;
}

/** What appears when a value appears where nothing was: everything on the way included. */
export function wholeSetOf(shape: Shape, value: Json): FieldSet {
  const view = viewOf(shape, value);
  if (view.type === 'leaf') return leaf;
  const members: MutableFieldSet = { '.': leaf };
  if (view.type === 'map') {
    const names = Object.keys(view.members);
    if (names.length === 0) return leaf;
    for (const name of names.sort())
      members[`f:${name}`] = wholeSetOf(memberShape(shape, name), view.members[name] ?? null);
    return members;
  }
  if (view.items.length === 0) return leaf;
  for (const [element, items] of itemsByElement(view.list, view.items)) {
    // Items that share an identity are owned together, as one leaf.
    members[element] = items.length > 1 ? leaf : wholeSetOf(view.list.item(), items[0] ?? null);
  }
  return inOrder(members);
}

/** The paths below a value, without the value's own path. */
function ownedBelow(shape: Shape, value: Json): MutableFieldSet | undefined {
  const view = viewOf(shape, value);
  if (view.type === 'leaf') return undefined;
  return view.type === 'map' ? ownedMembers(shape, view.members) : ownedItems(view.list, view.items);
}

function ownedMembers(shape: Shape, members: JsonObject): MutableFieldSet | undefined {
  let owned: MutableFieldSet | undefined;
  for (const name of Object.keys(members).sort()) {
    const value = members[name] ?? null;
    const below = memberShape(shape, name);
    const isLeaf =
      viewOf(below, value).type === 'leaf' || (isObject(value) && Object.keys(value).length === 0);
    const node = nodeOf(isLeaf || !isDeclared(shape, name), ownedBelow(below, value));
    if (node !== undefined) (owned ??= {})[`f:${name}`] = node;
  }
  return owned;
}

function ownedItems(list: ListShape, items: readonly Json[]): MutableFieldSet | undefined {
  let owned: MutableFieldSet | undefined;
  for (const [element, same] of itemsByElement(list, items)) {
    const below = same.length > 1 ? undefined : ownedBelow(list.item(), same[0] ?? null);
    (owned ??= {})[element] = nodeOf(true, below) ?? leaf;
  }
  return owned === undefined ? undefined : inOrder(owned);
}
