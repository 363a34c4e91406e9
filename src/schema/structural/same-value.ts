import { isArray, isObject, type Json } from '#base/json.ts';

/** Deeper values are called different rather than followed. */
const deepest = 500;

/** Deep equality that a hostile depth cannot break. */
export function sameValue(left: Json | undefined, right: Json | undefined, depth = 0): boolean {
  if (left === right) return true;
  if (depth > deepest) return false;
  if (isArray(left)) {
    if (!isArray(right) || left.length !== right.length) return false;
    return left.every((each, i) => sameValue(each, right[i], depth + 1));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key], depth + 1));
}
