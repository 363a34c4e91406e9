import { enoughErrors, nameInPath } from '#kube/field-error.ts';
import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import type { Shape, StructShape } from '#kube/shape.ts';

/** Members of a body nested deeper than this are not looked at; no real object comes near. */
export const deepest = 500;

/** Paths of the members that the shape does not have, as a real server prints them: `spec.containers[0].imagee`. */
export function unknownFields(shape: Shape, object: JsonObject): readonly string[] {
  const found: string[] = [];
  inValue(shape, object, { path: '', depth: 0, found });
  return found;
}

/** The path of a member: the first has no dot. */
export const memberPath = (path: string, name: string): string =>
  path === '' ? nameInPath(name) : `${path}.${nameInPath(name)}`;

type Place = { readonly path: string; readonly depth: number; readonly found: string[] };

function inValue(shape: Shape, value: Json | undefined, place: Place): void {
  if (place.depth > deepest || place.found.length >= enoughErrors) return;
  switch (shape.type) {
    case 'scalar':
    case 'untyped':
      return;
    case 'struct':
      if (isObject(value)) inStruct(shape, value, place);
      return;
    case 'map':
      if (isObject(value)) inMap(shape.value(), value, place);
      return;
    case 'list':
      if (isArray(value)) inList(shape.item(), value, place);
      return;
  }
}

function inStruct(shape: StructShape, object: JsonObject, { path, depth, found }: Place): void {
  for (const name of Object.keys(object)) {
    const field = shape.field(name);
    const value = object[name];
    if (field === undefined) {
      if (!shape.open && found.length < enoughErrors) found.push(memberPath(path, name));
    } else if (typeof value === 'object' && value !== null) {
      inValue(field.shape(), value, { path: memberPath(path, name), depth: depth + 1, found });
    }
  }
}

function inMap(shape: Shape, object: JsonObject, { path, depth, found }: Place): void {
  if (shape.type === 'scalar' || shape.type === 'untyped') return;
  for (const [name, value] of Object.entries(object)) {
    inValue(shape, value, { path: memberPath(path, name), depth: depth + 1, found });
  }
}

function inList(shape: Shape, list: readonly Json[], { path, depth, found }: Place): void {
  if (shape.type === 'scalar' || shape.type === 'untyped') return;
  list.forEach((value, i) => inValue(shape, value, { path: `${path}[${i}]`, depth: depth + 1, found }));
}
