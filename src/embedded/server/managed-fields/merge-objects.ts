import {
  equalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { putMember } from '#base/put-member.ts';
import type { ListShape, Shape } from '#kube/shape.ts';
import { itemsByElement, listElement } from './list-element.ts';
import { isAtomic, memberShape } from './shape-below.ts';

/**
 * Lays an applied object over the live one: leaves of the applied object win, maps and lists with identities
 * are merged, a null or empty container removes nothing. Returns the live value itself when nothing
 * changes.
 */
export function mergeObjects(shape: Shape, live: Json | undefined, applied: Json | undefined): Json {
  if (applied === undefined || live === undefined) return applied ?? live ?? null;
  if (live === applied) return live;
  if (shape.type === 'list' && shape.list !== 'atomic') return mergeLists(shape, live, applied);
  const isWhole = shape.type === 'scalar' || isAtomic(shape) || !isMergeable(live) || !isMergeable(applied);
  return isWhole ? ofEqual(live, applied) : mergeMaps(shape, live, applied);
}

const nothing: JsonObject = {};
const isMergeable = (value: Json): value is JsonObject | null => value === null || isObject(value);
const ofEqual = (live: Json, applied: Json): Json => (equalJson(live, applied) ? live : applied);

function mergeMaps(shape: Shape, live: JsonObject | null, applied: JsonObject | null): Json {
  const [left, right] = [live ?? nothing, applied ?? nothing];
  if (Object.keys(left).length === 0 && Object.keys(right).length === 0) return ofEqual(live, applied);
  const merged = mergeMembers(shape, left, right);
  return merged === left ? live : merged;
}

function mergeMembers(shape: Shape, live: JsonObject, applied: JsonObject): JsonObject {
  let merged: MutableJsonObject | undefined;
  for (const name of Object.keys(applied)) {
    const old = Object.hasOwn(live, name) ? live[name] : undefined;
    const value = mergeObjects(memberShape(shape, name), old, applied[name]);
    if (value !== old) putMember((merged ??= { ...live }), name, value);
  }
  return merged ?? live;
}

function mergeLists(list: ListShape, live: Json, applied: Json): Json {
  const [left, right] = [isArray(live) ? live : [], isArray(applied) ? applied : []];
  if (left.length === 0 && right.length === 0) return ofEqual(live, applied);
  const merged = mergeItems(list, left, right);
  const same = merged.length === left.length && merged.every((item, i) => item === left[i]);
  return same ? live : merged;
}

/**
 * Live items keep their order and come before new ones at the same place; items that both have stand in the
 * order of the applied list.
 */
function mergeItems(list: ListShape, left: readonly Json[], right: readonly Json[]): readonly Json[] {
  const live = itemsByElement(list, left);
  const applied = itemsByElement(list, right);
  const waiting = [...applied.keys()];
  const shared = waiting.filter((element) => live.has(element));
  const merged: Json[] = [];
  const takeApplied = (element: string): void => {
    const same = live.get(element) ?? [];
    merged.push(
      mergeObjects(list.item(), same.length === 1 ? same[0] : undefined, applied.get(element)?.[0]),
    );
  };
  for (const item of left) {
    const element = listElement(list, item);
    if (typeof element !== 'string' || !applied.has(element)) {
      merged.push(item);
    } else if (element === shared[0]) {
      shared.shift();
      for (const next of waiting.splice(0, waiting.indexOf(element) + 1)) takeApplied(next);
    }
  }
  for (const next of waiting) takeApplied(next);
  return merged;
}
