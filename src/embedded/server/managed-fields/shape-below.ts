import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { type ListShape, type Shape, untypedShape } from '#kube/shape.ts';

/** How ownership sees a value of some shape: one leaf, a map of members, or a list of items with identities. */
type View =
  | { readonly type: 'leaf' }
  | { readonly type: 'map'; readonly members: JsonObject }
  | { readonly type: 'list'; readonly list: ListShape; readonly items: readonly Json[] };

/** The shape of a member of a map-like value. */
export function memberShape(shape: Shape, name: string): Shape {
  if (shape.type === 'struct') return shape.field(name)?.shape() ?? untypedShape;
  return shape.type === 'map' ? shape.value() : untypedShape;
}

/** Whether a name is a field that the type declares, rather than a key of a map. */
export const isDeclared = (shape: Shape, name: string): boolean =>
  shape.type === 'struct' && shape.field(name) !== undefined;

/** The shape at a path element. */
export function shapeBelow(shape: Shape, element: string): Shape {
  if (element.startsWith('f:')) return memberShape(shape, element.slice(2));
  return shape.type === 'list' ? shape.item() : untypedShape;
}

export const isAtomic = (shape: Shape): boolean =>
  shape.type === 'list' ? shape.list === 'atomic' : 'atomic' in shape && shape.atomic;

export function viewOf(shape: Shape, value: Json): View {
  if (shape.type === 'scalar' || isAtomic(shape)) return leafView;
  if (shape.type === 'list')
    return Array.isArray(value) ? { type: 'list', list: shape, items: value } : leafView;
  return isObject(value) ? { type: 'map', members: value } : leafView;
}

const leafView: View = { type: 'leaf' };
