import { isArray, isObject, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { putMember } from '#base/put-member.ts';
import type { ListShape, Shape } from '#kube/shape.ts';
import { type FieldSet, isMember } from './field-set.ts';
import { listElement } from './list-element.ts';
import { memberShape, viewOf } from './shape-below.ts';

/**
 * The value without the fields of a set. A container that loses its last member becomes null: it still
 * counts as present until `dropEmptied` clears it away.
 */
export function removeFields(shape: Shape, value: Json, fields: FieldSet): Json {
  const view = viewOf(shape, value);
  if (view.type === 'map') return removeMembers(shape, view.members, fields);
  return view.type === 'list' ? removeItems(view.list, view.items, fields) : value;
}

/** Clears away what became null on the way from one value to the other. */
export function dropEmptied(before: Json | undefined, after: Json): Json {
  if (before === after) return after;
  if (isArray(after)) return after.map((item) => dropEmptied(undefined, item));
  if (!isObject(after)) return after;
  const result: MutableJsonObject = {};
  for (const [name, value] of Object.entries(after)) {
    const old = isObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    if (value === null && old !== undefined && old !== null) continue;
    putMember(result, name, dropEmptied(old, value));
  }
  return result;
}

function removeMembers(shape: Shape, members: JsonObject, fields: FieldSet): Json {
  let result: MutableJsonObject | undefined;
  for (const name of Object.keys(members)) {
    const node = fields[`f:${name}`];
    if (node === undefined) continue;
    result ??= { ...members };
    if (isMember(node)) delete result[name];
    else putMember(result, name, removeFields(memberShape(shape, name), members[name] ?? null, node));
  }
  if (result === undefined) return members;
  return Object.keys(result).length === 0 ? null : result;
}

function removeItems(list: ListShape, items: readonly Json[], fields: FieldSet): Json {
  const result: Json[] = [];
  for (const item of items) {
    const element = listElement(list, item);
    const node = typeof element === 'string' ? fields[element] : undefined;
    if (node === undefined) result.push(item);
    else if (!isMember(node)) result.push(removeFields(list.item(), item, node));
  }
  if (result.length === items.length && result.every((item, i) => item === items[i])) return items;
  return result.length === 0 ? null : result;
}
