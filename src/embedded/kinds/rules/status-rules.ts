import { isObject, type JsonObject } from '#base/json.ts';
import { builtinType } from '#schema/types/builtin-types.ts';
import { zeroOfType } from '#schema/types/presence.ts';
import { keeping } from '#base/json-edit.ts';
import type { KindRules } from './kind-rules.ts';

/** A struct of a built-in type with nothing set, as a server writes it. */
export function zeroOf(typeName: string): JsonObject {
  const type = builtinType(typeName);
  if (type === undefined) throw new Error(`the table of types lacks ${typeName}`);
  const zero = zeroOfType(type);
  return isObject(zero) ? zero : {};
}

/**
 * The rules of a kind with a /status subresource: the main endpoint starts with `initial` and then keeps the status,
 * /status keeps the spec and whatever else is named.
 */
export function statusRules(
  initial: () => JsonObject,
  alsoKept: readonly string[] = [],
): Pick<KindRules, 'hasStatus' | 'prepareCreate' | 'prepareUpdate' | 'prepareStatusUpdate'> {
  const kept = ['spec', ...alsoKept];
  return {
    hasStatus: true,
    prepareCreate: (object) => ({ ...object, status: initial() }),
    prepareUpdate: (object, old) => keeping(object, old, ['status']),
    prepareStatusUpdate: (object, old) => keeping(object, old, kept),
  };
}

/** The status that has nothing but the type's zero values. */
export const zeroStatus =
  (typeName: string): (() => JsonObject) =>
  () =>
    zeroOf(typeName);
