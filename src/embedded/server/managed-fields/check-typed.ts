import { isArray, isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { goType, printGo, printGoSyntax } from '#kube/patch/go-print.ts';
import type { ListShape, Shape } from '#kube/shape.ts';
import { listElement } from './list-element.ts';
import { nameInPath } from '#kube/field-error.ts';
import { printElement } from './path-element.ts';
import { isDeclared, memberShape } from './shape-below.ts';

/** Type errors of an applied object, with kube-apiserver's texts; empty when there are none. */
export function typeErrors(shape: Shape, value: Json, path = ''): readonly string[] {
  if (value === null || shape.type === 'untyped') return [];
  switch (shape.type) {
    case 'scalar':
      return scalarErrors(shape, value, path);
    case 'list':
      return isArray(value)
        ? itemErrors(shape, value, path)
        : [`${path}: expected list, got &{${printGo(value)}}`];
    case 'struct':
    case 'map':
      return isObject(value)
        ? memberErrors(shape, value, path)
        : [`${path}: expected map, got &{${printGo(value)}}`];
  }
}

/** A scalar's shape may name its type. */
type Scalar = { readonly type: 'scalar'; readonly of?: string };

function scalarErrors(shape: Scalar, value: Json, path: string): readonly string[] {
  switch (shape.of) {
    case 'string':
      return typeof value === 'string'
        ? []
        : [`${path}: expected string, got &value.valueUnstructured{Value:${printGoSyntax(value)}}`];
    case 'number':
      return isNumber(value) ? [] : [`${path}: expected numeric (int or float), got ${goType(value)}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path}: expected boolean, got &{${printGo(value)}}`];
    default:
      return typeof value === 'object' ? [`${path}: expected any scalar, got &{${printGo(value)}}`] : [];
  }
}

/** Nobody reads more. */
const enough = 100;

function memberErrors(shape: Shape, members: JsonObject, path: string): readonly string[] {
  const errors: string[] = [];
  const closed = shape.type === 'struct' && !shape.open;
  for (const [name, value] of Object.entries(members)) {
    if (errors.length >= enough) break;
    if (closed && !isDeclared(shape, name)) {
      errors.push(`${path}.${name}: field not declared in schema`);
      break;
    }
    errors.push(...typeErrors(memberShape(shape, name), value, `${path}.${nameInPath(name)}`));
  }
  return errors;
}

function itemErrors(list: ListShape, items: readonly Json[], path: string): readonly string[] {
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (errors.length >= enough) break;
    const element = list.list === 'atomic' ? `i:${index}` : listElement(list, item);
    if (typeof element !== 'string') return [...errors, `${path}: element ${index}: ${element.error}`];
    if (seen.has(element)) errors.push(`${path}: duplicate entries for key ${printElement(element)}`);
    seen.add(element);
    errors.push(...typeErrors(list.item(), item, path + printElement(element)));
  }
  return errors;
}
