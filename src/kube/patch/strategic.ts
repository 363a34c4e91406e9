import {
  equalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { type FieldShape, type Shape, untypedShape } from '#kube/shape.ts';
import { putMember } from '#base/put-member.ts';
import {
  deleteFromList,
  directedField,
  directiveOf,
  directive as directiveKey,
  elementOrder,
  isDeletion,
  plainValue,
  retainKeys,
} from './strategic-directives.ts';
import {
  badElementOrder,
  badPrimitiveList,
  badRetainKeys,
  notAList,
  unknownDirective,
  wrongOrder,
} from './strategic-error.ts';
import { deleteItems, mergeLists } from './strategic-lists.ts';
import { arrange, identify } from './strategic-order.ts';
import { objectPatch } from './undecodable.ts';

/**
 * Strategic merge patch: maps merge, nulls delete, lists are replaced or merged by key as the type's
 * markers say. Neither argument is changed. Throws ApiErrors with the texts of real servers.
 */
export function applyStrategicPatch(shape: Shape, document: Json, patch: Json): Json {
  return mergeMap(shape, isObject(document) ? document : {}, objectPatch(patch));
}

function mergeMap(shape: Shape, live: JsonObject, patch: JsonObject): JsonObject {
  const directive = directiveOf(patch);
  if (directive === 'delete') return {};
  if (directive === 'replace') return plainMap(patch);
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive, patch);

  const result: MutableJsonObject = retain(live, patch);
  const left = new Map(Object.entries(patch));
  left.delete(directiveKey);
  left.delete(retainKeys);
  orderLists(shape, result, left);
  for (const [key, value] of left) {
    if (key.startsWith(deleteFromList)) deleteFromMember(result, key, value);
    else if (value === null) delete result[key];
    else mergeMember(shape, result, key, value);
  }
  return result;
}

function deleteFromMember(result: MutableJsonObject, key: string, items: Json): void {
  const name = directedField(key, deleteFromList);
  if (name === undefined) throw badPrimitiveList();
  const live = own(result, name);
  if (isArray(live) && isArray(items)) putMember(result, name, deleteItems(live, items));
}

function mergeMember(shape: Shape, result: MutableJsonObject, key: string, value: Json): void {
  const live = own(result, key);
  const field = fieldOf(shape, key);
  if (isObject(live) && isObject(value)) {
    const replaces = strategyOf(field) === 'replace';
    putMember(result, key, replaces ? plainMap(value) : mergeMap(field.shape(), live, value));
  } else if (isArray(live) && isArray(value) && strategyOf(field) === 'merge') {
    putMember(result, key, mergeField(field, live, value));
  } else if (!isDeletion(value)) {
    putMember(result, key, plainValue(value));
  }
}

function mergeField(field: FieldShape, live: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const list = field.shape();
  const item = list.type === 'list' ? list.item() : untypedShape;
  return mergeLists(live, patch, field.patchMergeKey ?? '', (old, changes) => mergeMap(item, old, changes));
}

/** `$retainKeys`: the live map, copied, keeps only what the list names, and the patch may not speak of more. */
function retain(live: JsonObject, patch: JsonObject): MutableJsonObject {
  const keys = patch[retainKeys];
  if (keys === undefined) return { ...live };
  if (!isArray(keys)) throw badRetainKeys();
  const kept = new Set(keys);
  for (const [key, value] of Object.entries(patch)) {
    const says = value !== null && !key.startsWith('$');
    if (says && !kept.has(key)) throw badRetainKeys();
  }
  const result: MutableJsonObject = {};
  for (const [key, value] of Object.entries(live)) if (kept.has(key)) putMember(result, key, value);
  return result;
}

/** `$setElementOrder/<field>`: merges the field's list at once and puts it in that order. */
function orderLists(shape: Shape, result: MutableJsonObject, left: Map<string, Json>): void {
  for (const [key, order] of left) {
    if (!key.startsWith(elementOrder)) continue;
    left.delete(key);
    if (!isArray(order)) throw notAList(order);
    const name = directedField(key, elementOrder);
    if (name === undefined) throw badElementOrder();
    const [live, patch] = [listOf(own(result, name)), listOf(left.get(name))];
    if (live === undefined && patch === undefined) continue;
    const field = fieldOf(shape, name);
    const mergeKey = field.patchMergeKey ?? '';
    checkOrder(patch ?? [], order, mergeKey);
    const merged = mergedList(field, live, patch);
    putMember(result, name, arrange(merged, { order, live: live ?? [], mergeKey }));
    left.delete(name);
  }
}

function mergedList(
  field: FieldShape,
  live: readonly Json[] | undefined,
  patch: readonly Json[] | undefined,
): readonly Json[] {
  if (patch === undefined) return live ?? [];
  if (live === undefined || strategyOf(field) !== 'merge')
    return patch.filter((item) => !isDeletion(item)).map(plainValue);
  return mergeField(field, live, patch);
}

function listOf(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || isArray(value)) return value;
  throw notAList(value);
}

/** The items of the patch must appear in the order list, in the same order. */
function checkOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  let from = 0;
  for (const item of patch) {
    if (mergeKey !== '' && isObject(item) && directiveOf(item) !== undefined) continue;
    const key = identify(item, mergeKey);
    const isNext = (each: Json | undefined): boolean =>
      each !== undefined && equalJson(identify(each, mergeKey), key);
    while (from < order.length && !isNext(order[from])) from += 1;
    if (key === undefined || from >= order.length) throw wrongOrder(patch, order);
    from += 1;
  }
}

function plainMap(patch: JsonObject): JsonObject {
  const { [directiveKey]: _directive, ...rest } = patch;
  const plain = plainValue(rest);
  return isObject(plain) ? plain : {};
}

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const strategyOf = (field: FieldShape): string | undefined =>
  field.patchStrategy.find((strategy) => strategy !== 'retainKeys');

const unknownField: FieldShape = { shape: () => untypedShape, patchStrategy: [], patchMergeKey: undefined };

function fieldOf(shape: Shape, key: string): FieldShape {
  if (shape.type === 'struct') return shape.field(key) ?? unknownField;
  if (shape.type === 'map') return { ...unknownField, shape: () => shape.value() };
  return unknownField;
}
